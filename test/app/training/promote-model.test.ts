import { describe, expect, test } from 'vitest';
import { promoteByHand } from '../../../src/app/training/promote-by-hand.ts';
import { promoteModel } from '../../../src/app/training/promote-model.ts';
import { registerModel } from '../../../src/app/training/register-model.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import type { TrainingPlan } from '../../../src/training/training-plan.ts';
import { NOW } from '../../support/drop-fixture.ts';
import { evaluationText } from '../../support/evaluation-text.ts';
import {
  endJudgingRun,
  JUDGED,
  trainedDrop,
  TRAINING_PARTS,
  trainingPlan,
} from '../../support/training-fixture.ts';

const MODEL = bucketLayout.pipelineModel('shapes');
const PLAIN = { transform: { contentType: 'text/csv' }, gate: { minAccuracy: 0.5 } };
const CANDIDATE = `${JUDGED}r2`;
const clock = () => NOW;

/** A training whose model was judged. */
async function evaluated({
  promote = 'when-gate-passes',
  serving,
  judged = {},
  deploy = 'never',
  planned = deploy,
  judging = 'a',
  trainedOnCount = 1,
  servingContent = null,
}: {
  promote?: TrainingPlan['after']['promote'];
  serving?: string;
  judged?: Parameters<typeof endJudgingRun>[2] | null;
  deploy?: 'never' | 'when-gate-passes';
  /** `endpoint.deploy` when the training was planned, and the digest of what judges. */
  planned?: 'never' | 'when-gate-passes';
  judging?: string;
  /** Of the two inputs of the evaluation. */
  trainedOnCount?: number;
  servingContent?: string | null;
} = {}) {
  const store = await trainedDrop({ pipeline: { ...PLAIN, endpoint: { deploy } } });
  const incumbent =
    serving === undefined
      ? null
      : { sha256: 'f'.repeat(64), etag: store.put(MODEL, serving).etag, content: servingContent };
  const after = { ...trainingPlan().after, promote, deploy: planned };
  const plan: TrainingPlan = { ...trainingPlan(), incumbent, after, judging };
  store.put(bucketLayout.plan(TRAINING_PARTS), JSON.stringify(plan));
  const { sha256 } = await registerModel({ run: TRAINING_PARTS }, { store });
  const trainedOn = { count: trainedOnCount, first: [], compared: 2 };
  const candidateRun = judged && { run: CANDIDATE, at: NOW.toISOString(), isOwn: true };
  store.put(bucketLayout.evaluation(TRAINING_PARTS), evaluationText({ candidateRun, trainedOn }));
  if (judged !== null) endJudgingRun(store, CANDIDATE, { gate: 'passed', ...judged });
  return {
    store,
    promote: () => promoteModel({ run: TRAINING_PARTS }, { store, clock }),
    byHand: (force = false) => promoteByHand({ run: TRAINING_PARTS, by: 'ada', force }, { store, clock }),
    isPromoted: () => store.info(MODEL)?.etag === store.info(bucketLayout.model(sha256))!.etag,
    written: () => JSON.parse(store.text(bucketLayout.promotion(TRAINING_PARTS))!) as object,
  };
}

describe('a model whose gate has passed', () => {
  test.each([undefined, 'old'])('takes the place of what it was compared with (%s)', async (serving) => {
    const { store, promote, isPromoted, written } = await evaluated(serving === undefined ? {} : { serving });
    const replacedEtag = store.info(MODEL)?.etag ?? null;
    expect(await promote()).toEqual({ promotion: 'promoted', deploy: 'never', candidateRun: CANDIDATE });
    expect(isPromoted()).toBe(true);
    expect(written()).toMatchObject({
      promotion: 'promoted',
      by: 'gate',
      candidateRun: CANDIDATE,
      replacedEtag,
    });
    expect(await promote()).toMatchObject({ promotion: 'promoted' });
  });

  test('is not promoted again if it has the files of the model that serves', async () => {
    const first = await evaluated();
    const { content } = JSON.parse(first.store.text(bucketLayout.registered(TRAINING_PARTS))!) as {
      content: string;
    };
    const { promote, isPromoted, written } = await evaluated({
      serving: 'the same, packed at another time',
      servingContent: content,
      deploy: 'when-gate-passes',
    });
    expect(await promote()).toEqual({ promotion: 'kept', deploy: 'never', candidateRun: CANDIDATE });
    expect(isPromoted()).toBe(false);
    expect(written()).toMatchObject({ promotion: 'kept', replacedEtag: null });
  });

  test('is not kept as the same if another model took its place meanwhile', async () => {
    const first = await evaluated();
    const { content } = JSON.parse(first.store.text(bucketLayout.registered(TRAINING_PARTS))!) as {
      content: string;
    };
    const { store, promote, written } = await evaluated({
      serving: 'the same, packed at another time',
      servingContent: content,
    });
    store.put(MODEL, 'of another training');
    expect(await promote()).toMatchObject({ promotion: 'refused' });
    expect(written()).toMatchObject({
      reason: expect.stringContaining('is not the model any more that this one was compared with'),
    });
  });

  test('is promoted once where the step died between the copy and its note', async () => {
    const { store, promote, written } = await evaluated({ serving: 'old' });
    const { etag } = store.info(MODEL)!;
    await promote();
    store.remove(bucketLayout.promotion(TRAINING_PARTS));
    expect(await promote()).toMatchObject({ promotion: 'promoted' });
    expect(written()).toMatchObject({ promotion: 'promoted', replacedEtag: etag });
  });

  test('takes the place of no other one', async () => {
    const { store, promote, isPromoted, written } = await evaluated({ serving: 'old' });
    store.put(MODEL, 'of another training');
    expect(await promote()).toMatchObject({ promotion: 'refused', deploy: 'never' });
    expect(isPromoted()).toBe(false);
    expect(written()).toMatchObject({
      reason: expect.stringContaining('is not the model any more that this one was compared with'),
    });
  });

  test('is deployed next where pipeline.json asks for it', async () => {
    const { promote } = await evaluated({ deploy: 'when-gate-passes' });
    expect(await promote()).toMatchObject({ promotion: 'promoted', deploy: 'when-gate-passes' });
  });
});

test.each(['never', 'when-gate-passes'] as const)(
  'is not deployed where pipeline.json asked for it at the plan or at the promotion alone (%s at the plan)',
  async (planned) => {
    const deploy = planned === 'never' ? 'when-gate-passes' : 'never';
    const { promote } = await evaluated({ deploy, planned });
    expect(await promote()).toMatchObject({ promotion: 'promoted', deploy: 'never' });
  },
);

test.each([['of the same settings', 'a', 'a']])('a training %s is promoted', async (_, judging, judgedBy) => {
  const { promote } = await evaluated({ judging, judged: { judging: judgedBy } });
  expect(await promote()).toMatchObject({ promotion: 'promoted' });
});

test('a model whose evaluation was looked through in vain for what it was trained on is promoted', async () => {
  const { store, promote } = await evaluated();
  const key = bucketLayout.evaluation(TRAINING_PARTS);
  const trainedOn = { count: 0, first: [], compared: 0 };
  store.put(key, JSON.stringify({ ...JSON.parse(store.text(key)!), trainedOn }));
  expect(await promote()).toMatchObject({ promotion: 'promoted' });
});

test.each([
  ['report', bucketLayout.reportJson],
  ['plan', bucketLayout.plan],
])('a model is not promoted by a run whose %s has expired', async (_, keyOf) => {
  const { store, promote } = await evaluated();
  store.remove(keyOf(parseRunId(CANDIDATE)!));
  expect(await promote()).toMatchObject({ promotion: 'asked', candidateRun: null });
});

test.each([
  ['the gate failed', { judged: { gate: 'failed' } }, 'refused', 'The gate says failed.'],
  ['no gate was judged', { judged: { gate: 'none' } }, 'asked', 'The gate says none.'],
  ['no run judged it', { judged: null }, 'asked', 'training.after.evaluate names no files'],
  ['a person is to be asked', { promote: 'ask' }, 'asked', 'after.promote is "ask". The gate says passed.'],
  ['that is not wanted', { promote: 'never' }, 'never', 'after.promote is "never"'],
  ['the drop judged', { judged: { judgedByDrop: ['labels.truth'] } }, 'asked', 'job.json of the evaluation'],
  [
    'it was trained on all that judged it',
    { trainedOnCount: 2 },
    'asked',
    'The model was trained on every input of the evaluation, or on one that looks like it or is of its group, so its ' +
      'gate decides nothing automatically',
  ],
  [
    'pipeline.json was changed meanwhile',
    { judging: 'a', judged: { judging: 'b' } },
    'asked',
    'gate of pipeline.json were changed between the plan of the training and its evaluation, so its gate decides nothing automatically',
  ],
  [
    'inputs of the evaluation were changed meanwhile',
    { judged: { report: { errorsByReason: { superseded: 1, deleted: 0, 'model-error': 2 } } } },
    'asked',
    'Of the 2 inputs of the evaluation 1 were overwritten and 0 deleted after they had been frozen, so its gate ' +
      'decides nothing automatically',
  ],
] as const)('nothing is replaced where %s', async (_name, given, promotion, reason) => {
  const { promote, isPromoted, written } = await evaluated({ ...given, deploy: 'when-gate-passes' });
  expect(await promote()).toMatchObject({ promotion, deploy: 'never' });
  expect(isPromoted()).toBe(false);
  expect(written()).toMatchObject({ promotion, reason: expect.stringContaining(reason) });
});

describe('a person', () => {
  test('promotes what asked for it, once', async () => {
    const { store, promote, byHand, isPromoted, written } = await evaluated({
      promote: 'ask',
      deploy: 'when-gate-passes',
    });
    await promote();
    expect(await byHand()).toMatchObject({
      isNew: true,
      deploy: 'when-gate-passes',
      candidateRun: CANDIDATE,
    });
    expect(isPromoted()).toBe(true);
    expect(written()).toMatchObject({ promotion: 'promoted', by: 'ada' });
    const { promotion } = bucketLayout;
    const before = store.text(promotion(TRAINING_PARTS));
    expect(await byHand()).toMatchObject({ isNew: false });
    await promote();
    expect(store.text(promotion(TRAINING_PARTS))).toBe(before);
  });

  test.each<[string, Parameters<typeof evaluated>[0]]>([
    ['whose gate failed', { judged: { gate: 'failed' } }],
    ['that no gate has judged', { judged: { gate: 'none' } }],
    ['whose gate decides nothing by itself', { promote: 'ask', trainedOnCount: 2 }],
    ['that no run has judged', { judged: null }],
  ])('promotes a model %s by force, and has it deployed by no gate', async (_, given) => {
    const { promote, byHand } = await evaluated({ ...given, deploy: 'when-gate-passes' });
    await promote();
    expect(await byHand(true)).toMatchObject({ isNew: true, deploy: 'never' });
  });

  test('promotes what failed, or what something else has replaced, by force alone', async () => {
    const { store, promote, byHand, isPromoted } = await evaluated({
      judged: { gate: 'failed' },
      serving: 'old',
    });
    await promote();
    await expect(byHand()).rejects.toMatchObject({ name: 'GateNotPassed' });
    expect(await byHand(true)).toMatchObject({ isNew: true, deploy: 'never' });
    expect(isPromoted()).toBe(true);
    store.put(MODEL, 'another');
    await expect(byHand()).rejects.toMatchObject({ name: 'GateNotPassed' });
    const other = await evaluated({ promote: 'ask', serving: 'old' });
    await other.promote();
    other.store.put(MODEL, 'another');
    await expect(other.byHand()).rejects.toMatchObject({ name: 'ModelChanged' });
    expect(await other.byHand(true)).toMatchObject({ isNew: true });
  });

  test('rolls back to a model that was promoted before, whichever model is there now', async () => {
    const { store, promote, byHand, isPromoted, written } = await evaluated({ serving: 'old' });
    await promote();
    const { etag } = store.put(MODEL, 'of a later training');
    expect(await byHand()).toMatchObject({ isNew: true });
    expect(isPromoted()).toBe(true);
    expect(written()).toMatchObject({
      promotion: 'promoted',
      reason: 'ada asked for it, as a rollback: it was promoted before. The gate says passed.',
      replacedEtag: etag,
    });
  });

  test('promotes the model of a training that failed, or is under way, by force alone', async () => {
    const { byHand, isPromoted } = await evaluated({ judged: null });
    await expect(byHand()).rejects.toMatchObject({
      name: 'GateNotPassed',
      message: expect.stringContaining('the training is under way, or ended before its model was judged'),
    });
    expect(isPromoted()).toBe(false);
    expect(await byHand(true)).toMatchObject({ isNew: true });
  });

  test('is written down with what asked for it, and what was replaced', async () => {
    const { store, promote, byHand, written } = await evaluated({
      judged: { gate: 'failed' },
      serving: 'old',
    });
    const { etag } = store.info(MODEL)!;
    await promote();
    await byHand(true);
    const facts = { promotion: 'promoted', by: 'ada', at: NOW.toISOString(), replacedEtag: etag };
    expect(written()).toMatchObject({
      ...facts,
      candidateRun: CANDIDATE,
      reason: 'ada asked for it with --force. The gate says failed.',
    });
    const unjudged = await evaluated({ judged: null });
    await unjudged.promote();
    await unjudged.byHand();
    expect(unjudged.written()).toMatchObject({
      reason: 'ada asked for it. No run has judged the model.',
      replacedEtag: null,
    });
  });

  test('deploys nothing that pipeline.json does not ask for, or cannot', async () => {
    const { store, promote, byHand } = await evaluated({ promote: 'ask', deploy: 'when-gate-passes' });
    await promote();
    store.put(bucketLayout.pipelineConfig('shapes'), 'no JSON');
    expect(await byHand()).toMatchObject({ isNew: true, deploy: 'never' });
  });

  test('promotes nothing where pipeline.json names an archive of another place', async () => {
    const { store, promote, byHand, isPromoted } = await evaluated({ promote: 'ask' });
    await promote();
    const key = bucketLayout.pipelineConfig('shapes');
    const config = JSON.parse(store.text(key)!);
    const artifact = 's3://bucket/shared/model.tar.gz';
    store.put(key, JSON.stringify({ ...config, model: { ...config.model, artifact } }));
    for (const force of [false, true])
      await expect(byHand(force)).rejects.toMatchObject({
        name: 'ModelElsewhere',
        message: expect.stringContaining(`model.artifact of pipeline.json is ${artifact}`),
      });
    expect(isPromoted()).toBe(false);
  });

  test('cannot promote what is not there', async () => {
    const store = await trainedDrop();
    await expect(
      promoteByHand({ run: TRAINING_PARTS, by: 'ada', force: true }, { store, clock }),
    ).rejects.toMatchObject({ name: 'ModelMissing' });
  });
});
