import { grouped, percent } from '../../text/figures.ts';
import { showInvisible } from '../page/markup.ts';
import { predictedMix } from '../predicted-mix.ts';
import type { Report } from '../report.ts';

const SHOWN = 10;

/** The predicted classes, most frequent first, for a terminal; empty if every record has a truth. */
export function terminalMix(
  report: Pick<Report, 'classes'>,
  muted: (text: string) => string = String,
): string {
  const mix = predictedMix(report);
  if (mix.length === 0) return '';
  const shown = mix.slice(0, SHOWN);
  const counts = shown.map(({ count }) => grouped(count));
  const width = Math.max(...counts.map((count) => count.length));
  const lines = shown.map(
    ({ name, share }, at) =>
      `${(counts[at] ?? '').padStart(width)}  ${muted(percent(share).padStart(6))}  ${showInvisible(name)}`,
  );
  const rest = mix.length - shown.length;
  return [
    muted('predicted classes'),
    ...lines,
    ...(rest > 0 ? [muted(`and ${grouped(rest)} more, less often or never`)] : []),
  ].join('\n');
}
