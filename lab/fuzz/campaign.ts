/**
 * `npm run lab -- fuzz [--seed N] [--minutes M] [--target X]`: each target for its share of the time, with inputs that no other seed
 * draws; an input is replayed with `--seed N --target X --from NUMBER --count 1`.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTarget } from './run-target.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    target: { type: 'string' },
    from: { type: 'string' },
    count: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Math.floor(Date.now() / 1_000));
const all = readdirSync(path.join(import.meta.dirname, 'targets')).map((file) => path.basename(file, '.ts'));
const names = values.target === undefined ? all : [values.target];
const shareMs = (Number(values.minutes ?? 5) * 60_000) / names.length;

let found = 0;
for (const name of names) {
  const began = Date.now();
  const { executed, slowestMs, findings } = await runTarget(name, {
    seed,
    first: Number(values.from ?? 0),
    count: Number(values.count ?? Number.MAX_SAFE_INTEGER),
    untilMs: began + shareMs,
  });
  const seconds = Math.round((Date.now() - began) / 1_000);
  const rssMb = Math.round(process.memoryUsage.rss() / 1e6);
  process.stdout.write(
    `${name}: ${executed} inputs of seed ${seed} in ${seconds} s, the slowest ${Math.round(slowestMs)} ms of CPU time, ` +
      `${findings.length} problems, process ${rssMb} MB\n`,
  );
  for (const { number, problem, input } of findings)
    process.stdout.write(
      `  --seed ${seed} --target ${name} --from ${number} --count 1\n    ${problem}\n    ${input}\n`,
    );
  found += findings.length;
}
process.exitCode = found === 0 ? 0 : 1;
