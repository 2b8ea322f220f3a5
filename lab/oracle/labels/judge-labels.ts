/**
 * Reads drawn label files as a run does, once without a statement and once with their author's statement, and compares each input's
 * class with its author's: `judge-labels.ts SEED COUNT`, or `SEED COUNT NUMBER` to see one file. See draw_labels.py.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pythonEnvironment } from '../../python-environment.ts';
import { DrawnFile } from './drawn-file.ts';
import { readAsRun } from './reads-of-a-run.ts';

/**
 * Share of the files with one reading that may be refused if their author states what can be stated: of 20,000 files 11.7% are,
 * half of them since their keys lack the extension, as Kaggle's ids do. A few thousand files vary by a point or two.
 */
const MAX_REFUSED = 0.15;
const OUTCOMES = ['right', 'some rows', 'refused', 'WRONG'] as const;
type Outcome = (typeof OUTCOMES)[number];

const [seed = '1', count = '2000', only] = process.argv.slice(2);
const python = path.join(pythonEnvironment('oracle'), 'python');
const drawing = spawn(
  python,
  [path.join(import.meta.dirname, 'draw_labels.py'), seed, count, ...(only === undefined ? [] : [only])],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const tables = {
  unstated: new Map<string, Record<Outcome, number>>(),
  stated: new Map<string, Record<Outcome, number>>(),
};
const failures: string[] = [];
const apart = new Map<string, number>();
/** Files that are not read in full with their author's statement, by family and style. */
const unread = new Map<string, number>();
let passed = 0;
let readable = 0;
let refused = 0;

for await (const line of createInterface(drawing.stdout)) {
  const drawn = DrawnFile.parse(JSON.parse(line));
  for (const how of ['unstated', 'stated'] as const) {
    const read = await readAsRun(drawn, how === 'stated');
    const outcome = outcomeOf(drawn, read.classes);
    const row = `${drawn.family}, ${drawn.reading}`;
    const counts = tables[how].get(row) ?? { right: 0, 'some rows': 0, refused: 0, WRONG: 0 };
    tables[how].set(row, { ...counts, [outcome]: counts[outcome] + 1 });
    if (only !== undefined) show(drawn, how, outcome, read);
    if (how === 'unstated' && outcome === 'WRONG' && drawn.apart !== null) {
      apart.set(drawn.apart, (apart.get(drawn.apart) ?? 0) + 1);
    } else if (outcome === 'WRONG') failures.push(failure(drawn, how, read.classes));
    else passed += 1;
    if (how === 'stated' && (drawn.reading === 'one' || drawn.reading === 'two')) {
      readable += 1;
      if (outcome !== 'right') {
        refused += 1;
        const kind = `${drawn.family} (${drawn.style ?? 'as it is'})`;
        unread.set(kind, (unread.get(kind) ?? 0) + 1);
      }
    }
  }
}

for (const [how, table] of Object.entries(tables)) print(how, table);
for (const [why, files] of apart) say(`not to be seen in a file: ${why}: ${files} files`);
const share = refused / Math.max(1, readable);
say(
  `with the author's statement ${refused} of ${readable} files with one reading are not read in full (${(100 * share).toFixed(1)}%)`,
);
for (const [kind, files] of [...unread].sort(([, a], [, b]) => b - a).slice(0, 40)) say(`  ${files} ${kind}`);
if (only === undefined && share > MAX_REFUSED) failures.push(`more than ${100 * MAX_REFUSED}% are not read`);
for (const text of failures.slice(0, 30)) say(text);
say(`Tests: ${passed} passed, ${failures.length} failed (label files of seed ${seed})`);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;

function outcomeOf({ truth, alternatives }: DrawnFile, classes: readonly (number | undefined)[]): Outcome {
  const isWrong = (at: number): boolean =>
    classes[at] !== undefined && classes[at] !== truth[at] && classes[at] !== alternatives[at];
  if (truth.some((_, at) => isWrong(at))) return 'WRONG';
  if (classes.every((index) => index === undefined)) return 'refused';
  return truth.every((index, at) => index === null || classes[at] !== undefined) ? 'right' : 'some rows';
}

function failure(
  { id, family, style, inputs, truth, classes, alternatives }: DrawnFile,
  how: string,
  read: readonly (number | undefined)[],
): string {
  const at = truth.findIndex(
    (index, place) =>
      read[place] !== undefined && read[place] !== index && read[place] !== alternatives[place],
  );
  const name = (index: number | null | undefined): string =>
    index === undefined || index === null ? 'no label' : JSON.stringify(classes[index]);
  return `${id} ${family} (${style ?? 'as it is'}, ${how}): ${inputs[at]} is ${name(truth[at])}, read as ${name(read[at])}`;
}

function show(drawn: DrawnFile, how: string, outcome: Outcome, read: { readonly told: string }): void {
  const { bytes, ...rest } = drawn;
  if (how === 'unstated') {
    say(JSON.stringify(rest));
    say(bytes === null ? '' : Buffer.from(bytes, 'base64').toString().slice(0, 600));
  }
  say(`${how}: ${outcome}; ${read.told}`);
}

function print(how: string, table: ReadonlyMap<string, Record<Outcome, number>>): void {
  say(`\n${how.padEnd(34)}${OUTCOMES.map((outcome) => outcome.padStart(10)).join('')}`);
  for (const [row, counts] of [...table].sort())
    say(row.padEnd(34) + OUTCOMES.map((outcome) => String(counts[outcome] || '').padStart(10)).join(''));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
