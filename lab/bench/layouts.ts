/**
 * Comparing, folding and reporting by how inputs and answers lie in S3: processor time of lab/bench/scale.ts for an object each, for
 * bundles that the run makes, and for members of tars, which take turns:
 *
 *     node lab/bench/layouts.ts [--inputs 200000] [--shards 8] [--rounds 3]
 *
 * The middle one of the rounds counts. `--shards` of the shards are folded, for all.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '200000' },
    shards: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
  },
});
const LAYOUTS = ['objects', 'bundles', 'tars'] as const;
type Layout = (typeof LAYOUTS)[number];

/** Processor time in µs for one input. */
function measure(layout: Layout): number {
  const program = path.join(import.meta.dirname, 'scale.ts');
  const said = execFileSync(process.execPath, [program, values.inputs, values.shards, layout], {
    encoding: 'utf8',
  });
  const [, micros] = /fold and report: ([\d.]+) µs/.exec(said) ?? [];
  if (micros === undefined) throw new Error(`scale.ts said no time for ${layout}: ${said}`);
  return Number(micros);
}

const measured: Record<Layout, number[]> = { objects: [], bundles: [], tars: [] };
for (let round = 0; round < Number(values.rounds); round++)
  for (const layout of LAYOUTS) {
    const micros = measure(layout);
    measured[layout].push(micros);
    console.error(`round ${round + 1}: ${layout} ${micros} µs`);
  }

const middle = (layout: Layout): number =>
  measured[layout].toSorted((a, b) => a - b)[Math.floor(measured[layout].length / 2)] ?? NaN;
console.log(`${values.inputs} inputs of 10 classes; reconcile, fold and report:`);
for (const layout of LAYOUTS)
  console.log(
    `${layout.padEnd(8)} ${middle(layout).toFixed(1).padStart(8)} µs of processor an input, ` +
      `${(middle('objects') / middle(layout)).toFixed(1)} times less than objects (${measured[layout].join(', ')})`,
  );
