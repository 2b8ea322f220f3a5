import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { RunKind } from '../../../run/run-kind.ts';
import { judgeCosts, type ToldCosts } from '../../../verify/billed-costs.ts';
import { costExplorerUsd } from '../../../verify/estimates.ts';
import { newestRuns, pipelinesWithRuns } from '../../records/run-index.ts';
import type { Check } from '../check.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;
/** The newest runs of a pipeline that are added up: as many as one listing gives. */
const RUNS = 1_000;
const REQUESTS = 2;

/** The bill of the last whole days beside the figures of runs and trainings. */
export const billedCosts: Check = {
  name: 'billed-costs',
  asks: 'What did AWS bill in the last week, and what do the runs and trainings say?',
  usd: costExplorerUsd(REQUESTS),
  run: async ({ billed, store, stack, clock }) => {
    const end = new Date(Math.floor(clock().getTime() / DAY_MS) * DAY_MS);
    const start = new Date(end.getTime() - DAYS * DAY_MS);
    const toDay = (date: Date): string => date.toISOString().slice(0, 10);
    const bill = await billed({ start: toDay(start), end: toDay(end), region: stack.region });
    return judgeCosts({
      ...bill,
      days: DAYS,
      application: store.bucket,
      runs: await toldCosts(store, start, end, 'inference'),
      trainings: await toldCosts(store, start, end, 'training'),
    });
  },
};

async function toldCosts(store: ObjectStore, start: Date, end: Date, kind: RunKind): Promise<ToldCosts> {
  let count = 0;
  let usd = 0;
  for (const pipeline of await pipelinesWithRuns(store, kind)) {
    for await (const run of newestRuns(store, kind, pipeline, RUNS)) {
      const endedAt = new Date(run.endedAt);
      if (endedAt < start || endedAt >= end) continue;
      count += 1;
      usd += run.costUsd ?? 0;
    }
  }
  return { count, usd };
}
