import { expect, test } from 'vitest';
import { WireReader } from '../savedmodel/wire-reader.ts';

const reader = (...bytes: number[]) => new WireReader(Uint8Array.from(bytes));

test('reads each wire type', () => {
  const message = reader(
    0x08,
    0x96,
    0x01,
    0x12,
    0x02,
    0x68,
    0x69,
    0x1d,
    0x00,
    0x00,
    0xc0,
    0x3f,
    0x25,
    0x07,
    0,
    0,
    0,
  );
  expect(message.next() && [message.field, message.int()]).toEqual([1, 150]);
  expect(message.next() && [message.field, message.text()]).toEqual([2, 'hi']);
  expect(message.next() && [message.field, message.float()]).toEqual([3, 1.5]);
  expect(message.next() && [message.field, message.fixed32()]).toEqual([4, 7]);
  expect(message.next()).toBe(false);
});

test('reads negative and large integers', () => {
  const ones = new Array<number>(9).fill(0xff);
  const negative = reader(0x08, ...ones, 0x01);
  expect(negative.next() && negative.int64()).toBe(-1n);
  const large = reader(0x08, ...ones.slice(0, 8), 0x7f);
  expect(large.next() && large.int64()).toBe(2n ** 63n - 1n);
});

test('skips fields that are not read', () => {
  const message = reader(
    0x08,
    0x01,
    0x11,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    0x1a,
    0x01,
    0xff,
    0x25,
    1,
    2,
    3,
    4,
    0x28,
    0x05,
  );
  const fields: number[] = [];
  while (message.next()) fields.push(message.field);
  expect(fields).toEqual([1, 2, 3, 4, 5]);
});

test('reads repeated numbers, packed or not', () => {
  const message = reader(0x0a, 0x03, 0x01, 0x80, 0x01, 0x08, 0x07);
  const numbers: bigint[] = [];
  while (message.next()) message.ints(numbers);
  expect(numbers).toEqual([1n, 128n, 7n]);
});

test.each([
  ['a length past the end', [0x0a, 0x05, 0x01]],
  ['a varint without end', [0x08, ...new Array<number>(11).fill(0xff)]],
  ['a varint that is cut off', [0x08, 0x80]],
  ['a float that is cut off', [0x0d, 0x00]],
  ['an unknown wire type', [0x0f, 0x00]],
  ['field number 0', [0x00, 0x00]],
])('refuses %s', (_, bytes) => {
  const message = reader(...bytes);
  expect(() => {
    while (message.next());
  }).toThrow(expect.objectContaining({ name: 'BrokenModel' }));
});

test('refuses a field of another type than it is read as', () => {
  const message = reader(0x08, 0x01);
  message.next();
  expect(() => message.text()).toThrow('field 1 has wire type 0');
});

test('refuses messages nested without end', () => {
  const nest = (message: WireReader): void => {
    message.next();
    nest(message.message());
  };
  let bytes = Buffer.alloc(0);
  for (let depth = 0; depth < 200; depth++) {
    const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
    bytes = Buffer.concat([Uint8Array.from([0x0a, ...length]), bytes]);
  }
  expect(() => nest(new WireReader(bytes))).toThrow('deeper than 100');
});
