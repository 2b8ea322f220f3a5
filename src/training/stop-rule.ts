import type { StopSettings, TrainingSettings } from '../pipeline/training-settings.ts';
import type { Problem } from '../problem/problem.ts';
import type { ReadMetrics } from './log-metrics.ts';
import { settingProblem } from './setting-problem.ts';
import type { MetricWatch } from './training-job-record.ts';

/** NaN values in a row after which a training counts as diverged. */
const DIVERGED = 3;

const UNREAD: MetricWatch = { at: new Date(0).toISOString(), lines: 0, values: [], best: null, sinceBest: 0 };

/** Goes on with lines from `before.at` on; some of them were read before. */
export function watchLines(
  before: MetricWatch = UNREAD,
  lines: readonly { readonly at: Date; readonly text: string }[],
  read: ReadMetrics,
  { metric, mode }: StopSettings,
): MetricWatch {
  const watch = structuredClone(before);
  let again = before.lines;
  for (const { at, text } of lines) {
    const time = at.toISOString();
    if (time === before.at && again-- > 0) continue;
    if (time >= watch.at) Object.assign(watch, { at: time, lines: time === watch.at ? watch.lines + 1 : 1 });
    for (const { name, value, isNaN } of read(text)) {
      if (value === null && !isNaN) continue;
      let known = watch.values.find((one) => one.metric === name);
      if (known === undefined) watch.values.push((known = { metric: name, nanInARow: 0, wasNumber: false }));
      known.nanInARow = isNaN ? known.nanInARow + 1 : 0;
      known.wasNumber ||= !isNaN;
      if (name !== metric) continue;
      const { best } = watch;
      if (value !== null && (best === null || (mode === 'min' ? value < best : value > best)))
        Object.assign(watch, { best: value, sinceBest: 0 });
      else if (best !== null) watch.sinceBest += 1;
    }
  }
  return watch;
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
    return (
      `training.stop.nan: ${found.metric} was NaN ${DIVERGED} times in a row. Lower the learning rate or check the ` +
      'data, then train anew: checkpoints may hold NaN'
    );
  if (metric === null || sinceBest < patience) return undefined;
  return `training.stop: none of the last ${patience} values of ${metric} was better than ${best}`;
}

/** Reasons that may stop a job early, for people. */
export function stopTexts({ nan, metric, patience }: StopSettings): string[] {
  return [
    ...(nan ? [`stops if a metric is NaN ${DIVERGED} times in a row`] : []),
    ...(metric === null ? [] : [`stops after ${patience} values of ${metric} without a better one`]),
  ];
}

/** Problems of `training.stop`. */
export function stopProblems({ stop: { metric, mode }, metrics }: TrainingSettings): Problem[] {
  const names = Object.keys(metrics);
  if (metric === null || (names.includes(metric) && mode !== null)) return [];
  const [field, value, message] = names.includes(metric)
    ? ['mode', mode, `"min" or "max", is null: say whether ${metric} is better the lower or the higher it is`]
    : ['metric', metric, `a metric of training.metrics (${names.join(', ') || 'none'}), is ${metric}`];
  return [settingProblem(`stop.${field}`, value, `must be ${message}`)];
}
