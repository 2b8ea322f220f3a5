import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { crc32c, maskChecksum } from '../savedmodel/crc32c.ts';
import { sliceKey } from '../savedmodel/ordered-code.ts';
import { openTensorBundle } from '../savedmodel/tensor-bundle.ts';

/** One variable of TensorFlow 1, model/w, [6, 4] in three slices of two rows. */
const fixture = fileURLToPath(new URL('./fixtures/partitioned/variables', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slices-'));
  cpSync(fixture, folder, { recursive: true });
});

const open = () => openTensorBundle(join(folder, 'variables'));
const read = (shapeAndSlice?: string) => open().read('model/w', shapeAndSlice);
const rows = () => {
  const { data } = read();
  return [0, 4, 8, 12, 16, 20].map((start) => [...data.slice(start, start + 4)]);
};

/** Replaces bytes in the index's first block, which starts at 0 and holds everything, and makes its checksum fit. */
function forge(from: string, to: string): void {
  const path = join(folder, 'variables.index');
  const bytes = readFileSync(path);
  const place = bytes.indexOf(Buffer.from(from, 'hex'));
  expect(place).toBeGreaterThan(0);
  bytes.set(Buffer.from(to, 'hex'), place);
  const size = bytes.indexOf(Buffer.from('000000000100000000', 'hex')) + 8;
  bytes.writeUInt32LE(maskChecksum(crc32c(bytes.subarray(0, size + 1))), size + 1);
  writeFileSync(path, bytes);
}

test('slices are part of a variable and none themselves', () => {
  expect(open().names).toEqual(['model/w']);
});

test('reads a variable whole, by slices, and across them', () => {
  const whole = read();
  expect([whole.dtype, whole.shape, whole.data.length]).toEqual(['float32', [6, 4], 24]);
  const all = rows();
  expect([...read('6 4 2,2:0,4').data]).toEqual([all[2], all[3]].flat());
  expect([...read('6 4 4,2:-').data]).toEqual([all[4], all[5]].flat());
  const across = read('6 4 1,4:1,2');
  expect(across.shape).toEqual([4, 2]);
  expect([...across.data]).toEqual(all.slice(1, 5).flatMap((row) => row.slice(1, 3)));
});

test.each([
  ['6 4 5,2:-', 'variable model/w: a slice lies outside its shape [6, 4]'],
  ['6 4 0,2', 'variable model/w: a slice lies outside its shape [6, 4]'],
  ['7 4 0,2:-', 'variable model/w: is [6, 4], the graph restores 7 4 0,2:-'],
  ['rows', 'variable model/w: rows is not a slice, such as "6 4 0,2:-"'],
])('refuses to restore %s', (shapeAndSlice, message) => {
  expect(() => read(shapeAndSlice)).toThrow(message);
});

test('refuses a slice that the table does not have', () => {
  forge('08041002', '08031002');
  expect(() => read('6 4 4,1:-')).toThrow('variables.index: has no slice of variable model/w');
});

test('refuses a slice beyond the shape', () => {
  forge('08041002', '08041003');
  expect(() => read()).toThrow('a slice lies outside its shape');
});

test('refuses slices that leave gaps', () => {
  forge('1202080612020804', '1202080712020804');
  expect(() => read()).toThrow('its slices leave gaps or overlap');
  expect(() => read('7 4 5,2:-')).toThrow('its slices leave gaps or overlap');
});

test('refuses slices that overlap', () => {
  forge('08041002', '08021002');
  expect(() => read()).toThrow('its slices leave gaps or overlap');
});

test('refuses a slice whose data are of another size', () => {
  forge('2820', '281f');
  expect(() => read()).toThrow('its shape takes 32 bytes, its data 31');
});

test('notices one wrong byte in a slice', () => {
  const path = join(folder, 'variables.data-00000-of-00001');
  const bytes = readFileSync(path);
  bytes[70]! ^= 0xff;
  writeFileSync(path, bytes);
  expect(() => read()).toThrow('checksum does not match');
  expect(read('6 4 0,2:0,4').shape).toEqual([2, 4]);
});

/** Places and lengths at which TensorFlow's OrderedCode changes its number of bytes. */
test.each([
  [0, '80'],
  [63, 'bf'],
  [64, 'c040'],
  [8191, 'dfff'],
  [8192, 'e02000'],
  [2 ** 40, 'fd0000000000'],
])('writes %i as TensorFlow does', (start, code) => {
  const key = sliceKey('w', [{ start, length: undefined }]);
  expect(Buffer.from(key, 'latin1').toString('hex')).toBe(`007700010101${code}7f`);
});

test('marks bytes of a name that stand for its end', () => {
  expect(sliceKey('a\0b\xff', [])).toBe('\0a\0\xffb\xff\0\0\x01\0');
});
