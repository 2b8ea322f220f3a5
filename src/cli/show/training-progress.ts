import type { TrainingProgress } from '../../app/progress/state-news.ts';
import { short } from '../../text/figures.ts';
import { visible } from './terminal.ts';

/** Lines on everything that is new since the last look: the status, values, and the log (some of its lines in between may be missing). */
export function trainingNews(before: TrainingProgress | undefined, now: TrainingProgress): readonly string[] {
  const metrics = metricsText(now);
  return [
    ...(before?.secondaryStatus === now.secondaryStatus ? [] : [now.secondaryStatus]),
    ...(metrics === '' || (before !== undefined && metricsText(before) === metrics) ? [] : [metrics]),
    ...newLines(before?.lastLines ?? [], now.lastLines).map((line) => `| ${visible(line)}`),
  ];
}

/** The same in one line that is drawn again. */
export function trainingLine(progress: TrainingProgress): string {
  const last = progress.lastLines.at(-1);
  return [progress.secondaryStatus, metricsText(progress), last === undefined ? '' : `| ${visible(last)}`]
    .filter((text) => text !== '')
    .join('  ');
}

function metricsText({ metrics }: TrainingProgress): string {
  return Object.entries(metrics)
    .map(([name, value]) => `${visible(name)} ${value === null ? 'not a number' : short(value, 6)}`)
    .join(', ');
}

/** The lines that are new: those after the longest end of the former lines with which the present ones begin. */
function newLines(before: readonly string[], now: readonly string[]): readonly string[] {
  for (let same = Math.min(before.length, now.length); same > 0; same--)
    if (before.slice(-same).every((line, at) => line === now[at])) return now.slice(same);
  return now;
}
