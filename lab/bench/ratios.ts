/**
 * Ratios of this product to the obvious program for the same work, side by side in one run, next to those recorded at the last release:
 *
 *     npm run bench [-- --record]
 *
 * Ratios are of processor time, 1 is as cheap as the obvious program; other work on the machine moves them by a tenth or two.
 * `--record` writes lab/bench/ratios.json.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { writeOutputs } from './report/outputs.ts';

const OUTPUTS = 2_000;
const here = import.meta.dirname;
const root = path.resolve(here, '..', '..');
const recordedFile = path.join(here, 'ratios.json');
const Ratios = z.record(z.string(), z.number());
const Reader = z.object({ ours: z.number(), plain: z.number() });

const printed = (program: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [path.join(here, program), ...args], { cwd: root, encoding: 'utf8' });

function readerRatio(classes: number): number {
  const folder = path.join(root, 'build', 'bench-ratios', String(classes));
  if (!existsSync(folder)) writeOutputs(folder, { name: String(classes), classes, records: OUTPUTS });
  const { ours, plain } = Reader.parse(JSON.parse(printed('report/reader.ts', folder, String(classes))));
  return plain / ours;
}

function containerRatio(): number {
  const line = /([\d.]+) by processor time/.exec(printed('transform.ts', 'examples/fashion-mnist'));
  if (line === null) throw new Error('lab/bench/transform.ts printed no ratio');
  return Number(line[1]);
}

const RATIOS: readonly (readonly [name: string, measure: () => number])[] = [
  ['outputs of 10 classes are read, to JSON.parse', () => readerRatio(10)],
  ['outputs of 1,001 classes are read, to JSON.parse', () => readerRatio(1_001)],
  ['images through the TensorFlow container, to a bare loop', containerRatio],
];

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });
const recorded = Ratios.parse(JSON.parse(readFileSync(recordedFile, 'utf8')));
const measured: Record<string, number> = {};
console.log(`${''.padEnd(58)}${'now'.padStart(6)}${'recorded'.padStart(10)}`);
for (const [name, measure] of RATIOS) {
  const ratio = (measured[name] = Number(measure().toFixed(2)));
  console.log(
    `${name.padEnd(58)}${ratio.toFixed(2).padStart(6)}${(recorded[name]?.toFixed(2) ?? '–').padStart(10)}`,
  );
}
if (values.record) writeFileSync(recordedFile, `${JSON.stringify(measured, undefined, 2)}\n`);
