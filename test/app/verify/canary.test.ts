import { expect, it } from 'vitest';
import { canary, measureCanary } from '../../../src/app/verify/canary.ts';
import { parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { reportFigures } from '../../support/report-figures.ts';

const RUN = 'inferdrop-canary/2026-03-02/000001';
const MINUTE_MS = 60_000;

/** A stack on which the canary is called. */
function world() {
  let now = new Date('2026-03-02T00:40:00Z');
  const clock = () => now;
  const store = memoryObjectStore({ clock });
  return {
    store,
    call: () => canary({ check: 'stack' }, { store, clock }),
    pass: (minutes: number) => void (now = new Date(now.getTime() + minutes * MINUTE_MS)),
    report: (of: object) =>
      store.put(
        `runs/${RUN}/report.json`,
        reportFigures({ total: 4, correct: 4, errors: 0, accuracy: 1, costUsd: 0.01, ...of }),
      ),
  };
}

it('drops four files once a day, and its pipeline is one that inferdrop takes', async () => {
  const { store, call, pass } = world();
  expect(await call()).toEqual({ run: RUN, outcome: 'dropped' });
  expect(store.keys('incoming/inferdrop-canary/')).toEqual(
    ['_READY', 'yes-1.png', 'yes-2.png', 'yes-3.png', 'yes-4.png'].map(
      (name) => `incoming/inferdrop-canary/2026-03-02/${name}`,
    ),
  );
  const parsed = parsePipelineConfig(store.text('pipelines/inferdrop-canary/pipeline.json')!);
  expect(parsed.problems).toEqual([]);
  expect(await call()).toEqual({ run: RUN, outcome: 'waiting' });
  pass(24 * 60);
  expect(await call()).toEqual({ run: 'inferdrop-canary/2026-03-03/000001', outcome: 'dropped' });
});

it.each([
  ['all right', {}, 'passed'],
  ['a failed gate', { gate: { verdict: 'failed', explanation: '', isSet: true } }, 'failed'],
  ['no gate', { gate: { verdict: 'none', explanation: '', isSet: true } }, 'failed'],
  ['a file short', { total: 3 }, 'failed'],
  ['errors', { status: 'completed-with-errors', errors: 1 }, 'failed'],
])('a report with %s is judged', async (_what, of, outcome) => {
  const { call, pass, report } = world();
  await call();
  pass(60);
  report(of);
  const judged = await call();
  expect(judged).toEqual({ run: RUN, outcome });
  expect(measureCanary(judged)?.groups).toEqual([
    { by: [['pipeline']], values: { CanaryFailures: outcome === 'failed' ? 1 : 0 } },
  ]);
});

it('waits for a report for fifty minutes', async () => {
  const { call, pass } = world();
  await call();
  pass(50);
  const waiting = await call();
  expect(waiting).toEqual({ run: RUN, outcome: 'waiting' });
  expect(measureCanary(waiting)).toBeUndefined();
  pass(1);
  expect(await call()).toEqual({ run: RUN, outcome: 'failed' });
});
