import { expect, test } from 'vitest';
import { LineCutter } from '../host-process.ts';

function cut(...pieces: readonly (string | Buffer)[]): readonly string[] {
  const lines: string[] = [];
  const cutter = new LineCutter((line) => lines.push(line));
  for (const piece of pieces) cutter.push(Buffer.from(piece));
  cutter.end();
  return lines;
}

test('lines end with a newline; a progress bar is one line', () => {
  expect(cut('a\nb\r\n 10%\r 20%\r', ' 30%\nlast')).toEqual(['a', 'b', ' 10%\r 20%\r 30%', 'last']);
});

test('a sign that arrives in two pieces is whole, and bytes that are no UTF-8 are replaced', () => {
  const [first, second] = [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)];
  expect(cut(first, second, Buffer.from([0xff, 0x0a]))).toEqual(['ü\ufffd']);
});

test('a line is cut where CloudWatch Logs would refuse it', () => {
  expect(cut('x'.repeat(600_000)).map((line) => line.length)).toEqual([262_144, 262_144, 75_712]);
});
