import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PredictionRow, PredictionRows } from '../../src/report/table/prediction-rows.ts';
import { random } from '../../test/support/random.ts';

/** Parquet files of rows, and what is in them, for lab/oracle/compare_rows.py to read with the programs that users have. */
const SHAPES = [
  { name: 'none', rows: 0, nulls: 0 },
  { name: 'one', rows: 1, nulls: 0 },
  { name: 'all known', rows: 5_000, nulls: 0 },
  { name: 'some missing', rows: 5_000, nulls: 0.2 },
  { name: 'all missing', rows: 700, nulls: 1 },
  { name: 'several groups', rows: 45_003, nulls: 0.01 },
];
const NAMES = [
  'cat',
  'Straße',
  '猫',
  '=cmd()',
  '"quoted"',
  '',
  'x'.repeat(1_024),
  'two\nlines',
  '\u202eright',
];

const folder = mkdtempSync(path.join(tmpdir(), 'inferdrop-rows-'));
for (const [seed, shape] of SHAPES.entries()) {
  const next = random(seed);
  const orNull = <T>(value: T): T | null => (next() < shape.nulls ? null : value);
  const name = (): string => NAMES[Math.floor(next() * NAMES.length)] ?? '';
  const rows = Array.from({ length: shape.rows }, (_, at): PredictionRow => {
    const scale = 10 ** (20 * next() - 10);
    return {
      key: `images/${at}-${name()}.png`,
      recordIndex: Math.floor(next() * 2 ** 31),
      line: orNull(1 + Math.floor(next() * (2 ** 31 - 1))) ?? undefined,
      id: orNull(name()) ?? undefined,
      truth: orNull(name()),
      prediction: orNull(name()),
      score: orNull((next() - 0.5) * scale),
      topK: orNull(JSON.stringify([name(), name()])),
      correct: orNull(next() < 0.5),
      error: orNull('output-missing'),
    };
  });
  const file = path.join(folder, `${seed}.parquet`);
  const parquet = new PredictionRows();
  for (const row of rows) parquet.add(row);
  writeFileSync(file, parquet.finish());
  process.stdout.write(`${JSON.stringify({ name: shape.name, file, rows })}\n`);
}
process.stdout.write(`${JSON.stringify({ done: folder })}\n`);
