import { expect, test } from 'vitest';
import { parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import { candidateBaseline, forCandidate } from '../../../src/plan/decide/candidate.ts';
import type { Configuration } from '../../../src/plan/judge/judge-configuration.ts';
import { partOfEntry } from '../../../src/plan/part-of-entry.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { lateUploadNotes, runtimeNotes } from '../../../src/plan/plan-notes.ts';
import { toPlannedRecord } from '../../../src/plan/planned-record.ts';
import { PlanRefused } from '../../../src/plan/refused.ts';
import { NOW, PARTS, PIPELINE } from '../../support/drop-fixture.ts';

const ENGINE = {
  name: 'sagemaker',
  instanceType: 'ml.a.large',
  instanceCount: 2,
  maxConcurrentTransforms: 4,
  maxPayloadInMB: 6,
};
const job = (part: number, lastKey: string, kind: object = {}) => ({
  part,
  lastKey,
  pilot: false,
  outliers: false,
  input: `jobs/${part}`,
  objects: part * 10,
  firstKey: 'a',
  sample: ['s'],
  engine: ENGINE,
  ...kind,
});
const planOf = (jobs: readonly object[], rest: object = {}) =>
  ({
    run: 'shapes/monday/000001',
    createdAt: NOW.toISOString(),
    jobs,
    pilot: [],
    outlierBytes: null,
    rounds: null,
    ...rest,
  }) as unknown as Plan;

const JOBS = [job(1, 'x', { pilot: true }), job(2, 'g'), job(3, 'p'), job(4, 'z', { outliers: true })];

test.each([
  ['b', 1, 1],
  ['b', 9_000, 1],
  ['c', 1, 2],
  ['g', 1, 2],
  ['ga', 1, 3],
  ['p', 100, 3],
  ['p', 101, 4],
  ['z', 1, 3],
])('the input %s of %d bytes belongs to job %d, and to no other', (name, size, part) => {
  expect(partOfEntry(planOf(JOBS, { pilot: ['b'], outlierBytes: 100 }))({ name, size })).toBe(part);
});

test('without pilot and outliers an input belongs to the job whose keys surround it', () => {
  const jobs = [job(1, 'g'), job(2, 'p'), job(3, 't')];
  const parts = partOfEntry(planOf(jobs, { pilot: ['b'], outlierBytes: 1 }));
  expect(['b', 'h', 'q', 'z'].map((name) => parts({ name, size: 9 }))).toEqual([1, 2, 3, 3]);
  expect(partOfEntry(planOf(JOBS))({ name: 'a', size: 9_000 })).toBe(2);
  expect(partOfEntry(planOf([]))({ name: 'a', size: 1 })).toBe(1);
});

test('an attempt is what the plan says of its job, with the settings of its job', () => {
  const about = { attempt: 5, part: 3, at: NOW, outputsBefore: 7 };
  expect(toPlannedRecord(planOf(JOBS), 'bucket', about)).toEqual({
    schema: 1,
    run: 'shapes/monday/000001',
    attempt: 5,
    kind: 'part',
    part: 3,
    status: 'Planned',
    jobName: expect.stringMatching(/^inferdrop-shapes-monday-5-/),
    engine: ENGINE,
    input: 'jobs/3',
    objects: 30,
    firstKey: 'a',
    lastKey: 'p',
    outputsBefore: 7,
    sample: ['s'],
    createdAt: NOW.toISOString(),
    costUsd: null,
  });
  expect(() => toPlannedRecord(planOf(JOBS), 'bucket', { ...about, part: 5 })).toThrow('plan has no job 5');
});

test.each([
  [[60], 1, []],
  [
    [61],
    1,
    [
      /^the job is quoted at 2 minutes, limits.maxRuntimeMinutes is 1: .* still runs after 1.2 minutes is stopped .*: raise limits.maxRuntimeMinutes or transform.instanceCount$/,
    ],
  ],
  [[3_600, 3_601], 120, [/^the 2 jobs are together quoted at 121 minutes, .* after 144 minutes/]],
])('jobs quoted at %j seconds, in a run of %d minutes', (seconds, maxRuntimeMinutes, notes) => {
  const jobs = seconds.map((quotedSeconds) => ({ quotedSeconds }));
  expect(runtimeNotes(jobs, { maxRuntimeMinutes } as Parameters<typeof runtimeNotes>[1])).toEqual(
    notes.map((note) => expect.stringMatching(note)),
  );
});

test('an upload that was still going on is noted', () => {
  const drop = { maxWaitMinutes: 7 } as Parameters<typeof lateUploadNotes>[1];
  expect(lateUploadNotes(false, drop)).toEqual([]);
  expect(lateUploadNotes(true, drop)).toEqual([
    expect.stringMatching(/drop.maxWaitMinutes 7 .*upload _READY last$/),
  ]);
});

test.each([
  [1, '1 problem: see '],
  [2, '2 problems: see '],
])('a refusal of %d problems names where they are listed, and nothing of them', (count, message) => {
  const problems = Array.from({ length: count }, () => ({ file: 'f', field: 'x', message: 'secret' }));
  const refused = new PlanRefused(PARTS, problems);
  expect(refused).toMatchObject({ name: 'PlanRefused', problems });
  expect(refused.message).toMatch(new RegExp(`^${message}runs/shapes/monday/000001/\\S*problems.json$`));
  expect(JSON.stringify({ ...refused })).not.toContain('secret');
});

const SHA = 'a'.repeat(64);
const CANDIDATE = {
  sha256: SHA,
  training: 'training/shapes/monday/000001',
  baseline: 'shapes/old/000001',
  maxCostUsd: 2,
};
function judged(gate: object | null, candidate: Partial<typeof CANDIDATE> | { baseline: null }) {
  const parsed = parsePipelineConfig(JSON.stringify({ ...PIPELINE, gate, limits: { maxCostUsd: 3 } }));
  if (!('value' in parsed)) throw new Error(JSON.stringify(parsed.problems));
  const configuration = { config: parsed.value } as Configuration;
  return forCandidate(configuration, { ...CANDIDATE, ...candidate }, 'own').config;
}

test.each([
  [null, {}, { maxAccuracyDrop: 0.01 }],
  [{ minAccuracy: 0.5 }, {}, { minAccuracy: 0.5, maxAccuracyDrop: 0.01 }],
  [{ maxAccuracyDrop: 0.1 }, {}, { maxAccuracyDrop: 0.1 }],
  [{ minAccuracy: 0.5 }, { baseline: null }, { minAccuracy: 0.5 }],
])('with the gate %j, a candidate %j is held by %j', (gate, candidate, expected) => {
  expect(judged(gate, candidate)).toMatchObject({
    model: { artifact: `s3://own/models/${SHA}/model.tar.gz`, framework: 'tensorflow' },
    report: { baseline: 'last-passed' },
    limits: { maxCostUsd: 2 },
  });
  expect(judged(gate, candidate)?.gate).toEqual(expected);
});

test('a run that judges no candidate keeps its configuration', () => {
  const configuration = { config: undefined } as Configuration;
  expect(forCandidate(configuration, CANDIDATE, 'own')).toBe(configuration);
  const whole = { config: {} } as Configuration;
  expect(forCandidate(whole, undefined, 'own')).toBe(whole);
});

test.each([
  ['shapes/old/000001', 'it is compared with shapes/old/000001'],
  [null, 'the pipeline had no model to compare it with when that training was planned'],
])('a candidate whose baseline is %s says so', (baseline, compared) => {
  expect(candidateBaseline({ ...CANDIDATE, baseline })).toEqual({
    baseline: { asked: 'candidate', run: baseline },
    notes: [
      `judges the model aaaaaaaaaaaa of training/shapes/monday/000001; nothing is deployed; ${compared}`,
    ],
    problems: [],
  });
});
