/**
 * Reading, folding and rendering a run beside what people do by hand, on the same files in one run:
 *
 *     node lab/bench/report/run.ts [a] [b] [c]
 *
 * a: 100,000 outputs of 10 classes and 20,000 of 1,001 classes: this program's own fold and report, the notebook's Python
 * loop with scikit-learn's report and plot, and plain `JSON.parse` with argmax in Node; then the readers alone, from memory.
 * b: ten million outcomes of a thousand classes, as 10,000 tallies, merged and rendered.
 * c: 1, 10 and 100 thousand inputs: time must grow with them, memory must not. V8's young generation is held at 8 MB there, as it
 *    grows to many times that where a process lives for more than a shard.
 *
 * Times are of the processor, user and system: other work on the machine counts less in them. They are given for the whole
 * process, which is what a user waits for, and without the start of node or Python and the loading of what each needs. Each
 * side runs in a process of its own, turn by turn, five times; the median counts. Ours is bundled, as the Lambdas are. Files
 * are made first, under build/, and kept.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { pythonEnvironment } from '../../python-environment.ts';
import { labelsOf, type OutputSet, writeOutputs } from './outputs.ts';

const ROUNDS = 5;
const here = import.meta.dirname;
const root = path.resolve(here, '..', '..', '..');
/** Where all sides work: each opens its files by a path as short as the others'. */
const data = path.join(root, 'build', 'bench-report');
mkdirSync(data, { recursive: true });
const asked = process.argv.slice(2);
const wanted = (part: string): boolean => asked.length === 0 || asked.includes(part);

interface Figures {
  readonly records: number;
  readonly cpuSeconds: number;
  readonly withStartSeconds?: number;
  readonly peakMB: number;
  readonly wallSeconds?: number;
  readonly htmlKB?: number;
  readonly liveMB?: number;
}

const node = (file: string, ...args: readonly string[]): Figures => nodeWith([], file, ...args);
const nodeWith = (flags: readonly string[], file: string, ...args: readonly string[]): Figures =>
  JSON.parse(printed(flags, file, ...args));
const printed = (flags: readonly string[], file: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [...flags, path.resolve(here, file), ...args], {
    encoding: 'utf8',
    cwd: data,
  });
const python = (...args: readonly string[]): Figures =>
  JSON.parse(
    execFileSync(
      path.join(pythonEnvironment('bench/report'), 'python'),
      [path.join(here, 'notebook.py'), ...args],
      {
        encoding: 'utf8',
        cwd: data,
      },
    ),
  );

const outputsOf = ({ name }: OutputSet): string => `${name}/runs/bench/drop/000001/predictions`;

function bundleFold(): string {
  const outfile = path.join(data, 'fold.mjs');
  buildSync({
    entryPoints: [path.join(here, 'fold.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}

function prepare(set: OutputSet): void {
  if (existsSync(path.join(data, set.name, 'labels.json'))) return;
  console.log(`writing ${set.records} outputs of ${set.classes} classes …`);
  writeOutputs(path.join(data, outputsOf(set)), set);
  writeFileSync(path.join(data, set.name, 'labels.json'), JSON.stringify(labelsOf(set.classes)));
}

/** The median of some rounds, the sides taking turns so that a busy minute hits all of them. */
function median(sides: readonly (() => Figures)[]): (Figures | undefined)[] {
  const found: Figures[][] = sides.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, side] of sides.entries()) found[at]?.push(side());
  return found.map((rounds) => rounds.toSorted((a, b) => a.cpuSeconds - b.cpuSeconds)[ROUNDS >> 1]);
}

const line = (name: string, { records, cpuSeconds, peakMB, liveMB }: Figures): string =>
  `  ${name.padEnd(34)} ${cpuSeconds.toFixed(2).padStart(7)} s  ${((cpuSeconds / records) * 1e6).toFixed(1).padStart(7)} µs each  ${peakMB.toFixed(0).padStart(5)} MB${liveMB === undefined ? '' : `, ${liveMB.toFixed(0)} MB of it in use at the end`}`;

function sideBySide(set: OutputSet): void {
  prepare(set);
  const folder = outputsOf(set);
  const classes = String(set.classes);
  node('reconcile.ts', set.name, classes);
  const [ours, notebook, plain] = median([
    () => node(fold, set.name),
    () => python(folder, `${set.name}/labels.json`, `${set.name}/plot.png`),
    () => node('json-parse.ts', folder, classes),
  ]);
  if (ours === undefined || notebook === undefined || plain === undefined) return;
  console.log(`(a) ${set.records} outputs of ${set.classes} classes`);
  console.log(line('read, folded, rendered', ours));
  console.log(line('notebook loop, scikit-learn, plot', notebook));
  console.log(line('JSON.parse and argmax, no figures', plain));
  const [all = NaN, allOfNotebook = NaN] = [ours.withStartSeconds, notebook.withStartSeconds];
  console.log(
    `  whole processes ${all.toFixed(2)} s, the notebook's ${allOfNotebook.toFixed(2)} s: ${(allOfNotebook / all).toFixed(2)} times as fast; ` +
      `without start and loading ${(notebook.cpuSeconds / ours.cpuSeconds).toFixed(2)} times, and ${(plain.cpuSeconds / ours.cpuSeconds).toFixed(2)} times as fast as JSON.parse`,
  );
  const reader: { ours: number; plain: number } = JSON.parse(printed([], 'reader.ts', folder, classes));
  console.log(
    `  the readers alone, from memory: ${reader.ours.toFixed(1)} µs an output, JSON.parse and argmax ${reader.plain.toFixed(1)} µs: ${(reader.plain / reader.ours).toFixed(2)} times as fast`,
  );
}

const TEN: OutputSet = { name: 'ten', classes: 10, records: 100_000 };
const THOUSAND: OutputSet = { name: 'thousand', classes: 1_001, records: 20_000 };
const fold = bundleFold();

if (wanted('a')) {
  for (const set of [TEN, THOUSAND]) sideBySide(set);
}
if (wanted('b')) {
  const { cpuSeconds, wallSeconds = 0, peakMB, htmlKB = 0 } = node('merge.ts', 'merge', '10000');
  console.log('(b) 10,000,000 outcomes of 1,000 classes as 10,000 tallies, merged and rendered');
  console.log(
    `  ${cpuSeconds.toFixed(1)} s of processor, ${wallSeconds.toFixed(1)} s by the clock, ${peakMB.toFixed(0)} MB, page of ${htmlKB.toFixed(0)} kB`,
  );
}
if (wanted('c')) {
  prepare(TEN);
  console.log('(c) inputs, processor time and memory');
  for (const records of [1_000, 10_000, 100_000]) {
    node('reconcile.ts', TEN.name, '10', String(records));
    const [figures] = median([() => nodeWith(['--max-semi-space-size=8'], fold, TEN.name)]);
    if (figures !== undefined) console.log(line(`${records} inputs`, figures));
  }
}
