import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import { ROOT } from './build-folder.ts';

const Figure = z.object({
  what: z.string(),
  inputs: z.int(),
  rounds: z.int(),
  /** The machine's load average at the beginning. */
  load: z.number(),
  /** Ours first. */
  costs: z
    .array(z.object({ side: z.string(), furtherMicroseconds: z.number(), wholeSeconds: z.number() }))
    .readonly(),
});
type Figure = z.infer<typeof Figure>;
const Recorded = z.record(z.string(), Figure.extend({ date: z.iso.date(), command: z.string() }));
type Recorded = z.infer<typeof Recorded>;

const file = path.join(import.meta.dirname, 'figures.json');
const page = path.join(ROOT, 'docs', 'speed.md');

export function readFigures(): Recorded {
  return Recorded.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** A figure as lines of text. */
export function shownFigure(figure: Figure): string {
  const lines = rowsOf(figure).map(([side, further, whole, less, lessWhole]) =>
    [side.padEnd(42), further.padStart(10), whole.padStart(10), less.padStart(8), lessWhole.padStart(8)].join(
      '',
    ),
  );
  const { what, inputs, rounds, load } = figure;
  return [
    `${what}: ${inputs.toLocaleString('en-US')} inputs, median of ${rounds}, load ${load}`,
    `${''.padEnd(42)}${'µs each'.padStart(10)}${'s in all'.padStart(10)}   times ours`,
    ...lines,
  ].join('\n');
}

/** Keeps a figure, and writes the page of all. */
export async function recordFigures(name: string, figure: Figure): Promise<void> {
  const [date = ''] = new Date().toISOString().split('T');
  const recorded = { ...readFigures(), [name]: { ...figure, date, command: `npm run bench -- ${name}` } };
  writeFileSync(file, `${JSON.stringify(recorded, undefined, 2)}\n`);
  writeFileSync(page, await speedPage(recorded));
}

/** docs/speed.md. */
export async function speedPage(recorded: Recorded): Promise<string> {
  const tables = Object.values(recorded).map((figure) =>
    [
      `## ${figure.what}`,
      `\`${figure.command}\` on ${figure.date}: ${figure.inputs.toLocaleString('en-US')} inputs, median of ` +
        `${figure.rounds} rounds, load ${figure.load}.`,
      [
        '| | µs for one more input | seconds in all | times ours | in all |',
        '| --- | --- | --- | --- | --- |',
      ]
        .concat(rowsOf(figure).map((row) => `| ${row.join(' | ')} |`))
        .join('\n'),
    ].join('\n\n'),
  );
  if (tables.length === 0) tables.push('No figures are recorded at present.');
  return format([INTRODUCTION, ...tables].join('\n\n'), {
    parser: 'markdown',
    ...(await resolveConfig(page)),
  });
}

const INTRODUCTION = `# Speed

What one more input costs, and a whole process with its start, next to the programs that people use for the same work on the same files and machine. Figures are processor
time of whole process trees, so that other work on the machine counts less. Each side's answers are compared first: without all of them, and equal, a bench prints no figure.

\`npm run bench\` measures again, and \`npm run bench -- --record\` writes this page from \`lab/bench/figures.json\`.`;

function rowsOf({
  costs,
}: Figure): [side: string, further: string, whole: string, less: string, lessWhole: string][] {
  const [ours] = costs;
  return costs.map((cost) => {
    const { side, furtherMicroseconds, wholeSeconds } = cost;
    const times = (own: number, of: number | undefined): string =>
      cost === ours ? '' : (own / (of ?? NaN)).toFixed(2);
    return [
      ...([side, furtherMicroseconds.toFixed(1), wholeSeconds.toFixed(2)] as const),
      times(furtherMicroseconds, ours?.furtherMicroseconds),
      times(wholeSeconds, ours?.wholeSeconds),
    ];
  });
}
