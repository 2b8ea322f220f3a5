import type { Probed, ProbedCandidate } from '../../app/probe/probe.ts';
import type { TrialEnd } from '../../app/probe/run-trial.ts';
import { dollars, duration, short } from '../../text/figures.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import { type Column, right, toTable } from './table.ts';
import { visible } from './terminal.ts';

/** Width of the longest bar. */
const BAR = 24;

/** A trial, with US dollars for an hour of its instance. */
interface Row {
  readonly name: string;
  readonly trial: TrialEnd;
  readonly hourlyUsd: number | null;
  readonly isBest: boolean;
}

/** Trials in a table, with a bar for the speed of each, and why some have failed. */
export function probeLines(probed: Probed, hourlyUsd: (name: string) => number | null): readonly string[] {
  const rows = probed.candidates.flatMap(({ candidate: { name }, trials, best }) =>
    trials.map((trial): Row => ({ name, trial, hourlyUsd: hourlyUsd(name), isBest: trial === best })),
  );
  const fastest = Math.max(...rows.map(({ trial }) => trial.speed?.inputsPerSecond ?? 0));
  const failed = rows.filter(({ trial }) => trial.speed === null);
  return [
    ...toTable(rows, columns(fastest)),
    ...failed.map(({ name, trial }) =>
      visible(`${name}, ${requests(trial)} at once, failed: ${trial.failure ?? ''}`),
    ),
  ];
}

function columns(fastest: number): Column<Row>[] {
  const seconds = (title: string, field: 'startSeconds' | 'startupSeconds' | 'workSeconds'): Column<Row> =>
    right(title, ({ trial }) => (trial.speed === null ? '–' : duration(trial.speed[field])));
  return [
    { title: 'INSTANCE', text: ({ name }) => visible(name) },
    right('REQUESTS', ({ trial }) => String(requests(trial))),
    right('MB', ({ trial }) => payload(trial)),
    seconds('START', 'startSeconds'),
    seconds('STARTUP', 'startupSeconds'),
    seconds('WORK', 'workSeconds'),
    right('$ A MILLION', (row) => dollars(usdPerMillion(row.trial, row.hourlyUsd))),
    right('INPUTS/S', ({ trial }) => (trial.speed ? speed(trial) : 'failed')),
    {
      title: '',
      text: ({ trial, isBest }) =>
        '█'.repeat(Math.round(((trial.speed?.inputsPerSecond ?? 0) / (fastest || 1)) * BAR)) +
        (isBest ? ' ←' : ''),
    },
  ];
}

/** The candidate with the lowest cost for a million inputs at its best settings; the fastest if prices aren't known. */
export function cheapest(
  { candidates }: Probed,
  hourlyUsd: (name: string) => number | null,
): (ProbedCandidate & { readonly best: TrialEnd }) | undefined {
  const worked = candidates.flatMap((one) => (one.best === null ? [] : [{ ...one, best: one.best }]));
  const cost = ({ candidate: { name }, best }: (typeof worked)[number]): number =>
    usdPerMillion(best, hourlyUsd(name)) ?? 1 / (best.speed?.inputsPerSecond ?? 1);
  return worked.toSorted((a, b) => cost(a) - cost(b))[0];
}

/** US dollars for the work of a million inputs, without the start of their jobs. */
export function usdPerMillion({ speed: measured }: TrialEnd, hourlyUsd: number | null): number | null {
  return measured === null || hourlyUsd === null
    ? null
    : ((hourlyUsd / 3600) * 1_000_000) / measured.inputsPerSecond;
}

function requests({ settings }: TrialEnd): number {
  return settings.maxConcurrentTransforms;
}

function payload({ speed: measured }: TrialEnd): string {
  return String((measured && engineRules(measured.engine).payloadMB(measured.engine)) ?? '–');
}

function speed({ speed: measured }: TrialEnd): string {
  return short(measured?.inputsPerSecond ?? 0, 3);
}
