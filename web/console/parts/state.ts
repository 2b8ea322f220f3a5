import type { Bounds, RunRow } from '../../../src/api/console/run-row.ts';
import { coordinate, percent } from '../../../src/text/figures.ts';
import { h, type View } from '../view/view.ts';

/** A state: a shape and a word, and the color repeats it. */
export function state(shape: string, word: string): View {
  return h('span', { class: `state ${shape}` }, word);
}

/** An interval on a line from `from` to 100%. */
export function strip(share: number, { low, high }: Bounds, from: number, isWrong: boolean): View {
  const at = (value: number): string =>
    `${coordinate(100 * Math.max(0, Math.min(1, (value - from) / (1 - from))))}%`;
  return h('span', {
    class: isWrong ? 'strip wrong' : 'strip',
    title: `95% interval ${percent(low)} to ${percent(high)}`,
    css: { '--a': at(low), '--b': at(high), '--p': at(share) },
  });
}

/** A share as a bar. */
export function meter(share: number, name: string): View {
  return h('span.meter', {
    css: { '--v': `${coordinate(100 * share)}%` },
    role: 'img',
    'aria-label': name,
  });
}

/** A name that is cut in the middle where there is no room, so that the generation of a run stays. */
export function middle(name: string): View {
  const cut = name.lastIndexOf('/');
  return h(
    'span.middle',
    h('span', cut < 0 ? name : name.slice(0, cut)),
    cut >= 0 && h('span', name.slice(cut)),
  );
}

/** Link to a run's page. */
export function runLink({ run }: Pick<RunRow, 'run'>, more: Readonly<Record<string, unknown>> = {}): View {
  return h('a.go', { href: addressOfRun(run), title: run, ...more }, middle(run));
}

/** Address of a run's page. */
export function addressOfRun(run: string): string {
  return `#/run/${encodeURIComponent(run)}`;
}

/** Address of the page that compares runs, or trainings, with the first of them. */
export function addressOfComparison(runs: readonly string[]): string {
  return `#/compare/${runs.map((run) => encodeURIComponent(run)).join('/')}`;
}

/** Whether the name is a training's. */
export function isTraining(run: string): boolean {
  return run.startsWith('training/');
}
