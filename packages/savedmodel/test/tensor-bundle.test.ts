import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openTensorBundle } from '../savedmodel/tensor-bundle.ts';

/** Two variables of TensorFlow 1, [3, 3, 3, 8] and [8, 5]. */
const fixture = new URL('./fixtures/loop_variables/variables', import.meta.url).pathname;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  cpSync(fixture, folder, { recursive: true });
});

const open = () => openTensorBundle(join(folder, 'variables'));
const data = () => join(folder, 'variables.data-00000-of-00001');

function flipByte(file: string, position: number): void {
  const bytes = readFileSync(file);
  bytes[position]! ^= 0xff;
  writeFileSync(file, bytes);
}

test('reads variables by name', () => {
  const bundle = open();
  expect(bundle.names).toEqual(['dense', 'filters']);
  const dense = bundle.read('dense');
  expect([dense.dtype, dense.shape, dense.data.length]).toEqual(['float32', [8, 5], 40]);
  expect(bundle.read('filters').shape).toEqual([3, 3, 3, 8]);
});

test('refuses a variable that is not there', () => {
  expect(() => open().read('bias')).toThrow('has no variable bias');
});

test('notices one wrong byte in the data', () => {
  flipByte(data(), 20);
  expect(() => open().read('dense')).toThrow('variable dense: checksum does not match');
});

test('notices one wrong byte in the index', () => {
  flipByte(join(folder, 'variables.index'), 10);
  expect(open).toThrow('variables.index: checksum of the block at 0 does not match');
});

test('notices data that were cut off', () => {
  truncateSync(data(), 100);
  expect(() => open().read('dense')).toThrow('lies outside its data file');
});

test('notices a missing data file', () => {
  rmSync(data());
  expect(() => open().read('dense')).toThrow('variables.data-00000-of-00001 is missing');
});

test('refuses a file that is not an index', () => {
  writeFileSync(join(folder, 'variables.index'), 'not a table, but long enough to have a footer of 48 bytes');
  expect(open).toThrow('does not end like a table');
});
