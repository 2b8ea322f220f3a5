/**
 * Cuts drawn tables in odd chunks and compares records, cells and lines with Python's csv: `judge-tables.ts SEED COUNT`. See
 * draw_tables.py.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { pythonEnvironment } from '../../../lab/python-environment.ts';
import { type DrawnTable, readDrawn } from '../test/support/drawn-table.ts';
import { random } from '../test/support/random.ts';

const [seed = '1', count = '8000'] = process.argv.slice(2);
const python = path.join(pythonEnvironment('oracle'), 'python');
const drawing = spawn(python, [path.join(import.meta.dirname, 'draw_tables.py'), seed, count], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const next = random(Number(seed));
const failures: string[] = [];
let [passed, open] = [0, 0];
for await (const line of createInterface(drawing.stdout)) {
  const table: DrawnTable = JSON.parse(line);
  const lenient = readDrawn(table, next, { lenient: true })?.map(({ cells }) => cells);
  const strict = table.strict?.map((record) => ({ ...record, isInPlace: true })) ?? null;
  if (isDeepStrictEqual(readDrawn(table, next), strict) && isDeepStrictEqual(lenient, table.lenient))
    passed += 1;
  else failures.push(line.slice(0, 500));
  open += strict === null ? 1 : 0;
}
for (const failure of failures.slice(0, 10)) process.stdout.write(`${failure}\n`);
process.stdout.write(
  `Tests: ${passed} passed, ${failures.length} failed (tables against Python's csv; in ${open} a quote never closes, which is refused)\n`,
);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
