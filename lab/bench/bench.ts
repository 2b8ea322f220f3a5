/**
 * The cost of one more input, for this product and for the programs that people use for the same work, in one run:
 *
 *     npm run bench [-- small] [photographs] [report] [scores] [images] [tensorflow] [onnx] [pytorch] [--rounds 3] [--try] [--record]
 *     npm run bench -- requests      for docs/scale.md: see scale/request-cost.ts
 *
 * Costs are the processor time of whole process trees, user and system: other work on the machine counts less in it. If the answers of the
 * sides differ, or one is missing, there's no figure, and the exit code is 1. `--try` shows within seconds that all parts work, without the
 * peers in Python, though `pytorch` installs PyTorch. `--record` writes lab/bench/figures.json and docs/speed.md. Needs Linux.
 */
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { recordFigures, shownFigure } from './figures.ts';
import { PARTS } from './parts.ts';

const [first = '', ...rest] = process.argv.slice(2);
if (first === 'requests') {
  const args = [path.join(import.meta.dirname, 'scale', 'request-cost.ts'), ...rest];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    try: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
if (values.try && values.record)
  throw new Error('--record keeps what was measured, and --try measures nothing');
const asked = positionals.length > 0 ? positionals : Object.keys(PARTS);
const rounds = values.try ? 1 : Number(values.rounds);
for (const name of asked) {
  const part = PARTS[name];
  if (part === undefined)
    throw new Error(`there's no part ${name}: it's one of ${Object.keys(PARTS).join(', ')}`);
  const load = Number((loadavg()[0] ?? 0).toFixed(1));
  const figure = { ...(await part({ isSmall: values.try, rounds })), rounds, load };
  // So few inputs cost less than the noise.
  if (values.try)
    console.log(
      `${figure.what}: ${figure.costs.map(({ side }) => side).join('; ')}: all answers are there, and equal`,
    );
  else console.log(shownFigure(figure));
  if (values.record) await recordFigures(name, figure);
}
