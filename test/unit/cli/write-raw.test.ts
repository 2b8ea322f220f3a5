import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { writeRaw } from '../../../src/cli/files/write-raw.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';

function write(bytes: Uint8Array, isTTY: boolean, several = false): Buffer {
  const output = Object.assign(new PassThrough(), { isTTY });
  writeRaw(bytes, { file: 'a.png', several }, output);
  return output.read();
}

const BINARY = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 0, 0xff, 0x0a);

test('a pipe gets the bytes of the container and no others', () => {
  expect([...write(BINARY, false)]).toEqual([...BINARY]);
  expect(write(Buffer.from('{}'), false).toString()).toBe('{}');
});

test('a person gets text on a line of its own', () => {
  expect(write(Buffer.from('{"ü":1}\t'), true).toString()).toBe('{"ü":1}\t\n');
  expect(write(Buffer.from('1,2\r\n'), true).toString()).toBe('1,2\r\n');
});

test.each([BINARY, Buffer.from('\u001b[2J')])('a terminal never gets %j', (bytes) => {
  expect(() => write(bytes, true)).toThrow(UsageError);
  expect(() => write(bytes, true)).toThrow(
    /^a\.png: the answer is \d bytes that are not text: send it to a file with > FILE/,
  );
});

test('answers about several files are lines, and what is no text is asked for alone', () => {
  expect(write(Buffer.from('[1]'), false, true).toString()).toBe('[1]\n');
  expect(() => write(BINARY, false, true)).toThrow('ask about one file at a time');
});
