import { expect, test } from 'vitest';
import { WireReader } from '../savedmodel/wire-reader.ts';
import { WireWriter } from '../savedmodel/wire-writer.ts';

test.each([
  0,
  1,
  127,
  128,
  300,
  2 ** 31,
  2 ** 35 + 5,
  2 ** 53 - 1,
  -1,
  2n ** 62n,
  2n ** 63n - 1n,
  -(2n ** 63n),
])('reads back the integer %s', (value) => {
  const writer = new WireWriter();
  writer.int(1, value);
  const reader = new WireReader(writer.toBytes());
  expect(reader.next() && reader.int64()).toBe(BigInt(value));
  expect(reader.next()).toBe(false);
});

test('reads back texts, bytes and messages of any length', () => {
  const text = 'größe 猫 \u{1f600} '.repeat(40);
  const [inner, writer] = [new WireWriter(), new WireWriter()];
  inner.text(200, text);
  inner.float(2, 1.5);
  writer.bytes(1, new Uint8Array(300).fill(7));
  writer.message(2, inner);
  const reader = new WireReader(writer.toBytes());
  expect(reader.next() && [reader.field, reader.bytes()]).toEqual([1, new Uint8Array(300).fill(7)]);
  const message = reader.next() ? reader.message() : undefined;
  expect(message?.next() && [message.field, message.text()]).toEqual([200, text]);
  expect(message?.next() && [message.field, message.float()]).toEqual([2, 1.5]);
});
