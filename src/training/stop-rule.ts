import * as z from 'zod';
import { nearestName } from '../pipeline/nearest-name.ts';
import type { StopSettings, TrainingSettings } from '../pipeline/training-settings.ts';
import type { Problem } from '../problem/problem.ts';
import type { ReadMetrics } from './log-metrics.ts';
import { settingProblem } from './setting-problem.ts';

/** NaN values in a row after which a training counts as diverged. */
const DIVERGED = 3;

/** The metrics of a running job, as far as `training.stop` asks for them, and how far the first host's log has been read for them. */
export const MetricWatch = z.object({
  /** Time of the last line, and the number of lines read that have this time. */
  at: z.iso.datetime(),
  lines: z.int().nonnegative(),
  values: z.array(z.object({ metric: z.string(), nanInARow: z.int(), wasNumber: z.boolean() })),
  /** Best value of the watched metric; null while it has none. */
  best: z.number().nullable(),
  sinceBest: z.int().nonnegative(),
});
export type MetricWatch = z.infer<typeof MetricWatch>;

const UNREAD: MetricWatch = { at: new Date(0).toISOString(), lines: 0, values: [], best: null, sinceBest: 0 };

/** Goes on with lines from `before.at` on, some of which were read before. */
export function watchLines(
  before: MetricWatch = UNREAD,
  lines: readonly { readonly at: Date; readonly text: string }[],
  read: ReadMetrics,
  stop: StopSettings,
): MetricWatch {
  const watch = structuredClone(before);
  let again = before.lines;
  for (const { at, text } of lines) {
    const time = at.toISOString();
    if (time === before.at && again-- > 0) continue;
    if (time >= watch.at) {
      watch.lines = time === watch.at ? watch.lines + 1 : 1;
      watch.at = time;
    }
    for (const { name, value, isNaN } of read(text)) if (isNaN || value !== null) add(name, value);
  }
  return watch;

  function add(metric: string, value: number | null): void {
    let known = watch.values.find((one) => one.metric === metric);
    if (known === undefined) watch.values.push((known = { metric, nanInARow: 0, wasNumber: false }));
    known.nanInARow = value === null ? known.nanInARow + 1 : 0;
    known.wasNumber ||= value !== null;
    if (metric !== stop.metric) return;
    if (
      value !== null &&
      (watch.best === null || (stop.mode === 'min' ? value < watch.best : value > watch.best))
    ) {
      watch.best = value;
      watch.sinceBest = 0;
    } else if (watch.best !== null) watch.sinceBest += 1;
  }
}

/**
 * Why the values so far end the training, or undefined. A metric that has never been a number may be NaN for good, as the recall of a class
 * without examples is: it counts only if every metric is.
 */
export function reasonOfMetrics(
  { values, best, sinceBest }: MetricWatch,
  { nan, metric, patience }: StopSettings,
): string | undefined {
  const diverged = values.filter(({ nanInARow }) => nanInARow >= DIVERGED);
  const [found] =
    diverged.length === values.length ? diverged : diverged.filter(({ wasNumber }) => wasNumber);
  if (nan && found !== undefined)
    return `training.stop.nan: ${found.metric} was NaN ${DIVERGED} times in a row. Lower the learning rate or check the data, then train anew: checkpoints may hold NaN`;
  if (metric === null || sinceBest < patience) return undefined;
  return `training.stop: none of the last ${patience} values of ${metric} was better than ${best}`;
}

/** What may stop a job early, for people; undefined if nothing is watched. */
export function stopText(
  { nan, metric, patience }: StopSettings,
  metrics: readonly unknown[],
): string | undefined {
  const rules = [
    ...(nan ? [`a metric is NaN ${DIVERGED} times in a row`] : []),
    ...(metric === null ? [] : [`${patience} values in a row of ${metric} are no better than its best`]),
  ];
  return metrics.length === 0 || rules.length === 0 ? undefined : `stops early if ${rules.join(', or ')}`;
}

/** Problems of `training.stop`. */
export function stopProblems({ stop, metrics }: TrainingSettings): Problem[] {
  const { metric, mode } = stop;
  const names = Object.keys(metrics);
  if (metric === null) return [];
  if (!names.includes(metric)) {
    const nearest = nearestName(metric, names);
    const meant = nearest === undefined ? `it has ${names.join(', ') || 'none'}` : `did you mean ${nearest}?`;
    return [
      settingProblem('stop.metric', metric, `must be a metric of training.metrics, is ${metric}: ${meant}`),
    ];
  }
  if (mode !== null) return [];
  const message = `must be "min" or "max", is null: say whether ${metric} is better the lower or the higher it is`;
  return [settingProblem('stop.mode', mode, message)];
}
