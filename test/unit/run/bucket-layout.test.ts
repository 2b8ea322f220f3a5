import { expect, it } from 'vitest';
import { dropFileKeys, dropPrefix } from '../../../src/drop/drop-key.ts';
import {
  bucketLayout,
  dropOfState,
  folderName,
  isJobRecord,
  runOfKey,
} from '../../../src/run/bucket-layout.ts';
import { toExecutionInput, toExecutionName } from '../../../src/run/execution-name.ts';
import { toReportName } from '../../../src/run/report-name.ts';
import type { DropParts, RunParts } from '../../../src/run/run-id.ts';
import { aDrop, aRun } from '../../support/a-run.ts';

const DAY = new Date(Date.UTC(2026, 2, 1));
const RUN: RunParts = aRun('shapes/a b/000002r3');
const TRAINING: RunParts = { ...RUN, kind: 'training' };

/** The keys and names that outlive a deployment: the next release must find what the one before wrote. */
const namesOf = (run: RunParts) => [
  bucketLayout.dropFolder(run),
  bucketLayout.pulse(run),
  bucketLayout.stateOf(run),
  bucketLayout.freezing(run),
  bucketLayout.covered(run),
  bucketLayout.ledger(run.pipeline),
  bucketLayout.plan(run),
  bucketLayout.freezeProgress(run),
  bucketLayout.job(run, 2),
  bucketLayout.tally(run, 4),
  bucketLayout.index(run.kind, run.pipeline),
  bucketLayout.indexEntry(run, DAY),
  dropPrefix({ ...run, drop: 'default' }),
  ...dropFileKeys({ ...run, drop: 'default' }, 'job.json'),
  toExecutionName(run),
  toExecutionInput(run),
  toReportName(run, DAY),
  toExecutionName({ ...run, drop: ' x é' }),
];

it('keys and names of a run do not change', () => {
  expect(namesOf(RUN)).toEqual([
    'incoming/shapes/a b/',
    'state/shapes/a b/pulse',
    'state/shapes/a b/',
    'state/shapes/a b/000002r3/freezing',
    'state/shapes/a b/000002r3/covered/',
    'state/shapes/ledger.json',
    'runs/shapes/a b/000002r3/plan.json',
    'runs/shapes/a b/000002r3/freeze/progress.json',
    'runs/shapes/a b/000002r3/jobs/2/job.json',
    'runs/shapes/a b/000002r3/fold/000004.json',
    'index/shapes/',
    'index/shapes/8227676799999-a b-000002r3.json',
    'incoming/shapes/',
    'incoming/shapes/job.json',
    'incoming/shapes/default/job.json',
    'shapes-a-b-000002r3-8f012429b42e5266',
    '{"schema":1,"run":"shapes/a b/000002r3"}',
    '2026-03-01-shapes-a-b-000002r3-8f012429b42e5266',
    'shapes--x--000002r3-14c2222eefaa23f4',
  ]);
});

it('a training shares the ledger of its pipeline and no other key or name with a run', () => {
  const shared = namesOf(RUN).filter((name) => namesOf(TRAINING).includes(name));
  expect(shared).toEqual(['state/shapes/ledger.json']);
  expect(namesOf(TRAINING).slice(0, 5)).toEqual([
    'training/shapes/a b/',
    'state/training/shapes/a b/pulse',
    'state/training/shapes/a b/',
    'state/training/shapes/a b/000002r3/freezing',
    'state/training/shapes/a b/000002r3/covered/',
  ]);
  expect(bucketLayout.checkpoints(TRAINING, 'id')).toBe('runs/training/shapes/a b/000002r3/checkpoints/id/');
  expect(toExecutionName(TRAINING)).toMatch(/^training-shapes-a-b-000002r3-[0-9a-f]{16}$/);
});

it.each([RUN, TRAINING])('a key says which run it belongs to', (run) => {
  for (const key of [bucketLayout.plan(run), bucketLayout.run(run), bucketLayout.frozen(run)])
    expect(runOfKey(key)).toEqual(run);
  expect(runOfKey(bucketLayout.stateOf(run))).toBeUndefined();
});

it.each<[string, DropParts | undefined]>([
  ['state/shapes/a b/pulse', aDrop('shapes/a b')],
  ['state/shapes/a b/000001/frozen.json', aDrop('shapes/a b')],
  ['state/training/shapes/a b/pulse', aDrop('training/shapes/a b')],
  ['state/shapes/training/pulse', aDrop('shapes/training')],
  ['state/sweep.json', undefined],
  ['state/shapes/ledger.json', undefined],
])('%s is of a drop %j', (key, drop) => {
  expect(dropOfState(key)).toEqual(drop);
});

it('names the last folder of a prefix', () => {
  expect(folderName(bucketLayout.index('inference', 'shapes'))).toBe('shapes');
  expect(folderName(bucketLayout.index('training', 'shapes'))).toBe('shapes');
  expect(folderName('shapes')).toBe('shapes');
});

it("knows an attempt's record among the files of its job", () => {
  expect(isJobRecord(bucketLayout.job(RUN, 3))).toBe(true);
  expect(isJobRecord(bucketLayout.jobInput(RUN, 3))).toBe(false);
  expect(isJobRecord(`${bucketLayout.jobs(RUN)}3/job.json.txt`)).toBe(false);
});

it('lists an entry of a later time before that of an earlier one, centuries apart', () => {
  const entry = (year: number) => bucketLayout.indexEntry(RUN, new Date(Date.UTC(year, 0, 1)));
  const later = [2280, 2200, 2026].map(entry);
  expect(later.toSorted()).toEqual(later);
});
