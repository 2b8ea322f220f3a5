import path from 'node:path';
import type { Report } from '../../src/report/report.ts';

/** Fields of one run: names, times, costs and machines; and the records that a lot by their names has drawn. */
const OF_ONE_RUN = new Set([
  ...['run', 'previous', 'createdAt', 'startedAt', 'seconds', 'costUsd'],
  ...['notes', 'exemplars', 'setup', 'jobs'],
]);

/** Where an input lies, who refused it, and what the gate was judged for. */
const OF_THE_WAY = new Set(['member', 'detail', 'explanation']);

/**
 * A report without what may differ between two runs of the same files, however they were sent and whatever engine predicted. Of figures,
 * three decimals: batches add in another order.
 */
export function comparableReport(report: Report): Partial<Report> {
  const rest = Object.entries(report).filter(([field]) => !OF_ONE_RUN.has(field));
  return JSON.parse(JSON.stringify(Object.fromEntries(rest)), (name, value: unknown) => {
    if (OF_THE_WAY.has(name)) return undefined;
    if (name === 'key' || name === 'where') return path.posix.basename(String(value));
    return typeof value === 'number' ? Number(value.toFixed(3)) : value;
  });
}
