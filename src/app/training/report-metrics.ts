import { TrainingReport } from '../../report/training/training-report.ts';
import type { TrainingMetrics } from '../../training/training-metrics.ts';

/** Cap on the values of one host that report.json keeps of a metric; its plot is 460 points wide. */
const MAX_VALUES = 500;

/** The metrics of the report, in the order of pipeline.json. */
export function toReportMetrics(
  names: readonly string[],
  metrics: TrainingMetrics | undefined,
): TrainingReport['metrics'] {
  return names.map((name) => ({
    name,
    // A metric may be called "constructor".
    final: metrics !== undefined && Object.hasOwn(metrics.final, name) ? (metrics.final[name] ?? null) : null,
    hosts: (metrics?.series ?? [])
      .filter(({ metric }) => metric === name)
      .map(({ host, count, points }) => ({
        host,
        count,
        values: spread(points.map(({ value }) => value)),
      })),
  }));
}

/** At most `MAX_VALUES` of the values, evenly, with the first and the last. */
function spread<T>(values: readonly T[]): T[] {
  if (values.length <= MAX_VALUES) return [...values];
  return Array.from({ length: MAX_VALUES }, (_, at) => {
    const index = Math.round((at * (values.length - 1)) / (MAX_VALUES - 1));
    return values.slice(index, index + 1);
  }).flat();
}
