/** The other peer: `JSON.parse` and argmax in Node, and nothing else. Prints what it has counted. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { labelsOf } from './outputs.ts';

const [folder = '', classes = ''] = process.argv.slice(2);
const labels = labelsOf(Number(classes));
let answers = 0;
let correct = 0;
for (const name of readdirSync(folder)) {
  const scores: number[] = JSON.parse(readFileSync(path.join(folder, name), 'utf8')).predictions[0];
  let best = 0;
  for (let id = 1; id < scores.length; id++) if ((scores[id] ?? 0) > (scores[best] ?? 0)) best = id;
  answers++;
  if (name.includes(`-${labels[best] ?? ''}.`)) correct++;
}
console.log(JSON.stringify({ answers, correct }));
