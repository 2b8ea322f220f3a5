/** The readers alone, on bytes in memory: class, its score and all scores of each output. Prints what each took. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ClassList } from '../../../src/label/class-list.ts';
import { resolvePrediction } from '../../../src/label/resolve-prediction.ts';
import { readOutput } from '../../../src/prediction/read-output.ts';
import { asAnswered } from '../../../test/support/as-answered.ts';
import { labelsOf } from './outputs.ts';

const FILES = 2_000;
const ROUNDS = 9;
const [folder = '', count = ''] = process.argv.slice(2);
const classes = new ClassList(labelsOf(Number(count)));
const shape = { scoreCount: classes.listed, oneRecord: true };
const outputs = readdirSync(folder)
  .slice(0, FILES)
  .map((name) => readFileSync(path.join(folder, name)));

function ours(bytes: Uint8Array): number {
  const [prediction] = readOutput(bytes, shape);
  return resolvePrediction(prediction!, classes, asAnswered()).predicted;
}

function plain(bytes: Buffer): number {
  const scores: number[] = JSON.parse(bytes.toString('utf8')).predictions[0];
  let best = 0;
  for (let id = 1; id < scores.length; id++) if ((scores[id] ?? 0) > (scores[best] ?? 0)) best = id;
  return best;
}

function microseconds(read: (bytes: Buffer) => number): number {
  const started = process.cpuUsage();
  for (const bytes of outputs) read(bytes);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / outputs.length;
}

for (const bytes of outputs) if (ours(bytes) !== plain(bytes)) throw new Error('the readers disagree');
const rounds = Array.from({ length: ROUNDS }, () => ({
  ours: microseconds(ours),
  plain: microseconds(plain),
}));
console.log(
  JSON.stringify({
    ours: Math.min(...rounds.map((round) => round.ours)),
    plain: Math.min(...rounds.map((round) => round.plain)),
  }),
);
