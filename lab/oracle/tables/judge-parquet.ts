/**
 * Reads drawn Parquet files in slices of odd sizes and compares each cell with pyarrow: `judge-parquet.ts SEED COUNT`. See
 * draw_parquet.py.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type DrawnParquet, judgeParquet } from '../../../test/support/drawn-parquet.ts';
import { random } from '../../../test/support/random.ts';
import { pythonEnvironment } from '../../python-environment.ts';

const [seed = '1', count = '400'] = process.argv.slice(2);
const python = path.join(pythonEnvironment('oracle'), 'python');
const drawing = spawn(python, [path.join(import.meta.dirname, 'draw_parquet.py'), seed, count], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const next = random(Number(seed));
const failures: string[] = [];
let [passed, cells, refused] = [0, 0, 0];
for await (const line of createInterface(drawing.stdout)) {
  const file: DrawnParquet = JSON.parse(line);
  const judged = await judgeParquet(file, Math.ceil(10_000 * next() ** 4)).catch((error: unknown) => ({
    cells: 0,
    wrong: String(error),
  }));
  cells += judged.cells;
  const isRefused =
    file.how.compression === 'lz4' && judged.wrong?.includes('is compressed with LZ4_RAW') === true;
  if (isRefused) refused += 1;
  else if (judged.wrong === undefined) passed += 1;
  else failures.push(`${judged.wrong} ${JSON.stringify(file.how)}`);
}
for (const failure of failures.slice(0, 10)) process.stdout.write(`${failure}\n`);
process.stdout.write(
  `Tests: ${passed} passed, ${failures.length} failed (Parquet files against pyarrow: ${cells} cells equal, ` +
    `${refused} files of LZ4 refused)\n`,
);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
