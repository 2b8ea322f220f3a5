import { expect, test } from 'vitest';
import { runLog } from '../../../src/app/overview/run-log.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { jobRecord } from '../../support/job-record.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { memoryTrainingLogs } from '../../support/memory-training-jobs.ts';
import { noLogs } from '../../support/no-engine.ts';

const RUN = 'cats/monday/000001';
const BEGAN = Date.parse('2026-03-01T12:00:00Z');
const PAGE_LINES = 100;
const at = (second: number): Date => new Date(BEGAN + second * 1000);

interface Written {
  readonly second: number;
  readonly text: string;
}

/** The log of a run whose jobs end after this many seconds and have written these lines; with the times that were read from. */
async function logOf(seconds: number, ...jobs: (readonly Written[])[]) {
  const store = memoryObjectStore();
  for (const [index] of jobs.entries()) {
    const facts = {
      run: RUN,
      attempt: index + 1,
      jobName: String(index),
      endedAt: at(seconds).toISOString(),
    };
    store.put(bucketLayout.job(aRun(RUN), index + 1), JSON.stringify(jobRecord(facts)));
  }
  const asked = new Set<number>();
  const log = await runLog(aRun(RUN), {
    store,
    clock: () => at(1e6),
    trainingLogs: memoryTrainingLogs(),
    logs: {
      lambda: noLogs,
      sagemaker: {
        ...noLogs,
        async *all({ jobName }, since = at(0), mayRead = () => true) {
          asked.add((since.getTime() - BEGAN) / 1000);
          const wanted = jobs[Number(jobName)]!.filter(({ second }) => at(second) >= since);
          for (let line = 0; line === 0 || line < wanted.length; line += PAGE_LINES) {
            if (!mayRead()) return;
            for (const { second, text } of wanted.slice(line, line + PAGE_LINES))
              yield { at: at(second), source: 'container', instance: 'one', text };
          }
        },
      },
    },
  });
  return { ...log, lines: log.lines.map(({ text }) => text), asked: [...asked] };
}

const everySecond = (from: number, to: number): Written[] =>
  Array.from({ length: to - from }, (_, index) => ({ second: from + index, text: `line ${from + index}` }));

test('a short log is shown whole', async () => {
  const { lines, cut, since } = await logOf(90, everySecond(0, 90));
  expect(lines).toHaveLength(90);
  expect({ cut, since }).toEqual({ cut: false, since: null });
});

test('of a long log the newest lines are shown, and what is far from its end is not read', async () => {
  const { lines, cut, asked } = await logOf(9_000, everySecond(7_000, 9_000));
  expect(lines).toHaveLength(400);
  expect(lines.at(-1)).toBe('line 8999');
  expect(cut).toBe(true);
  expect(asked).toEqual([9_000 - 300, 9_000 - 7_200]);
});

test('a beginning of too many pages is left out, with the time of what was read', async () => {
  const { lines, cut, since, asked } = await logOf(86_400, [
    ...everySecond(0, 5_000),
    ...everySecond(86_390, 86_400),
  ]);
  expect(lines).toEqual(everySecond(86_390, 86_400).map(({ text }) => text));
  expect({ cut, since }).toEqual({ cut: false, since: at(86_400 - 7_200).toISOString() });
  expect(asked).toEqual([86_400 - 300, 86_400 - 7_200, 0]);
});

test('of an end of too many pages the last seconds are read', async () => {
  const crowd = everySecond(0, 900).flatMap((one) => Array<Written>(20).fill(one));
  const { lines, since, asked } = await logOf(900, crowd);
  expect(lines.at(-1)).toBe('line 899');
  expect(since).toBe(at(890).toISOString());
  expect(asked).toEqual([600, 890]);
});

test('each of many jobs beside each other is read', async () => {
  const { lines, since } = await logOf(60, ...Array.from({ length: 90 }, () => everySecond(0, 1)));
  expect(lines).toHaveLength(90);
  expect(since).toBeNull();
});

test('of jobs beside each other the newest lines are shown in the order of their times, and of a long line its beginning', async () => {
  const noise = Array.from({ length: 900 }, (_, line) => ({ second: line / 10, text: 'noise' }));
  const { lines, cut } = await logOf(100, [{ second: 99, text: `the reason ${'!'.repeat(1e6)}` }], noise);
  expect(lines).toHaveLength(400);
  expect(lines.at(-1)).toMatch(/^the reason !{3989}…$/);
  expect(cut).toBe(true);
});

test('a run without a job has no line', async () => {
  expect(await logOf(0)).toMatchObject({ lines: [], cut: false, since: null });
});
