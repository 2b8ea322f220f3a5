import type { ObjectStore } from '../../../aws/object-store.ts';
import { judgeCosts } from '../../../verify/billed-costs.ts';
import { costExplorerUsd } from '../../../verify/estimates.ts';
import { newestRuns, pipelinesWithRuns } from '../../records/run-index.ts';
import type { Check } from '../check.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;
/** The newest runs of a pipeline that are added up. */
const RUNS = 200;

/** The bill of the last whole days beside the figures of the runs. */
export const billedCosts: Check = {
  name: 'billed-costs',
  asks: 'What did AWS bill in the last week, and what do the runs say?',
  usd: costExplorerUsd(1),
  run: async ({ billed, store, stack, clock }) => {
    const end = new Date(Math.floor(clock().getTime() / DAY_MS) * DAY_MS);
    const start = new Date(end.getTime() - DAYS * DAY_MS);
    const toDay = (date: Date): string => date.toISOString().slice(0, 10);
    const costs = await billed({ start: toDay(start), end: toDay(end), region: stack.region });
    return judgeCosts({ days: DAYS, billed: costs, ...(await toldCosts(store, start, end)) });
  },
};

async function toldCosts(
  store: ObjectStore,
  start: Date,
  end: Date,
): Promise<{ readonly runs: number; readonly toldUsd: number }> {
  let runs = 0;
  let toldUsd = 0;
  for (const pipeline of await pipelinesWithRuns(store)) {
    for await (const run of newestRuns(store, pipeline, RUNS)) {
      const endedAt = new Date(run.endedAt);
      if (endedAt < start || endedAt >= end) continue;
      runs += 1;
      toldUsd += run.costUsd ?? 0;
    }
  }
  return { runs, toldUsd };
}
