import { expect, test } from 'vitest';
import type { CompareRunServices } from '../../../src/app/transform/compare-run.ts';
import type { SageMaker } from '../../../src/aws/sagemaker/sagemaker.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { type Behavior, drive, failing, planned, reconciled, record } from '../../support/drive-transform.ts';
import { PARTS, PIPELINE } from '../../support/drop-fixture.ts';
import type { MemorySageMaker } from '../../support/memory-sagemaker.ts';

const FILES = { 'a.png': 1, 'b.png': 2, 'c.png': 3, 'd.png': 4, 'e.png': 5 };
const TWO_TYPES = { ...PIPELINE, transform: { instanceTypes: ['ml.m5.xlarge', 'ml.c5.xlarge'] } };

class Crash extends Error {}

/** Repeats a step that crashed, as the state machine does. */
async function repeated<T>(step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
}

/** A SageMaker that does what it is asked, and may then lose the answer. */
function losing(sagemaker: MemorySageMaker, afterCall: () => void): MemorySageMaker {
  const wrap =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const answer = await call(...args);
      afterCall();
      return answer;
    };
  const methods: (keyof SageMaker)[] = ['startTransformJob', 'describeTransformJob', 'tagsOf'];
  return {
    ...sagemaker,
    ...Object.fromEntries(methods.map((name) => [name, wrap(sagemaker[name] as never)])),
  };
}

/** Runs to the end with a crash before or after the n-th request; `crashed` says whether there was an n-th request. */
async function withCrash(
  behave: Behavior,
  at: number,
  phase: 'request' | 'answer',
  settings: CompareRunServices['settings'] = {},
  pipeline: unknown = TWO_TYPES,
) {
  let requests = -Infinity;
  let crashed = false;
  const count = (): void => {
    requests += 1;
    if (requests !== at) return;
    crashed = true;
    throw new Crash();
  };
  const run = await planned({
    files: FILES,
    pipeline,
    store: { before: (_request, when) => (when === phase ? count() : undefined) },
  });
  requests = 0;
  const sagemaker = losing(run.sagemaker, count);
  const { answer, jobs } = await drive({ ...run, sagemaker, settings }, behave, undefined, repeated);
  return {
    crashed,
    outcome: {
      answer,
      jobs,
      reconciled: reconciled(run.store),
      names: [...run.sagemaker.jobs.keys()],
      shards: run.store.text(bucketLayout.shards(PARTS)),
      records: jobs.map((_, index) => record(run.store, index + 1)),
    },
  };
}

const noCapacity: Behavior = (inputs, spec) =>
  spec.instanceType === 'ml.m5.xlarge'
    ? { write: [], status: 'Failed', failureReason: 'CapacityError: Unable to provision' }
    : failing('b.png')(inputs, spec);
const halved: Behavior = (inputs, spec) =>
  inputs.length === 5 ? { write: [], status: 'Failed' } : failing('d.png')(inputs, spec);

test.each<[string, Behavior]>([
  ['a poison file', failing('c.png')],
  ['no capacity', noCapacity],
  ['a job that yields nothing', halved],
])('a run with %s ends the same wherever a Lambda dies', async (_name, behave) => {
  const { outcome: expected } = await withCrash(behave, Infinity, 'request');
  for (const phase of ['request', 'answer'] as const) {
    for (let at = 1; ; at++) {
      const { crashed, outcome } = await withCrash(behave, at, phase);
      if (!crashed) break;
      expect(outcome, `crash at ${phase} ${at}`).toEqual(expected);
    }
  }
});

test('a comparison of many slices ends the same wherever a Lambda dies', async () => {
  const slices = { budgetMs: 0, chunkEntries: 1, sliceBytes: 1 };
  const { outcome: expected } = await withCrash(failing('c.png'), Infinity, 'request');
  for (const phase of ['request', 'answer'] as const) {
    for (let at = 1; ; at++) {
      const { crashed, outcome } = await withCrash(failing('c.png'), at, phase, slices);
      if (!crashed) break;
      expect(outcome, `crash at ${phase} ${at}`).toEqual(expected);
    }
  }
});

test('a run with a pilot ends the same wherever a Lambda dies', async () => {
  const pipeline = { ...TWO_TYPES, limits: { pilot: 2 } };
  const { outcome: expected } = await withCrash(failing('c.png'), Infinity, 'request', {}, pipeline);
  expect(expected.jobs.map(({ inputs }) => inputs.length)).toEqual([2, 3, 1]);
  for (const phase of ['request', 'answer'] as const) {
    for (let at = 1; ; at++) {
      const { crashed, outcome } = await withCrash(failing('c.png'), at, phase, {}, pipeline);
      if (!crashed) break;
      expect(outcome, `crash at ${phase} ${at}`).toEqual(expected);
    }
  }
});
