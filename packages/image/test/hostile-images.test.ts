import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeGif } from '../decode-gif.ts';
import { decodeJpeg, DEFAULT_JPEG_SETTINGS } from '../decode-jpeg.ts';

const photo = readFileSync(new URL('./fixtures/photo.jpg', import.meta.url));

/** The photo with another size in its frame header. */
function resized(file: Uint8Array, width: number, height: number): Buffer {
  const copy = Buffer.from(file);
  const frame = copy.findIndex(
    (byte, at) => byte === 0xff && (copy[at + 1] === 0xc0 || copy[at + 1] === 0xc2),
  );
  copy.writeUInt16BE(height, frame + 5);
  copy.writeUInt16BE(width, frame + 7);
  return copy;
}

/** A progressive file of one component, whose every scan is the first bit of the average of each block. */
function scans(count: number, side: number): Buffer {
  const segment = (marker: number, ...bytes: readonly number[]) =>
    Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255, ...bytes]);
  const table = segment(0xc4, 0, 1, ...new Array<number>(15).fill(0), 0);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...new Array<number>(64).fill(1)),
    segment(0xc2, 8, side >> 8, side & 255, side >> 8, side & 255, 1, 1, 0x11, 0),
    table,
    ...new Array<Buffer>(count).fill(segment(0xda, 1, 1, 0, 0, 0, 0)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

test('sizes beyond the limit are refused before memory is asked for', () => {
  expect(() => decodeJpeg(resized(photo, 60_000, 60_000), 0, DEFAULT_JPEG_SETTINGS)).toThrow(
    'JPEG: 60000x60000 pixels are too many',
  );
});

test('a small file with many scans of a large image is given up', () => {
  expect(decodeJpeg(scans(3, 64), 0, DEFAULT_JPEG_SETTINGS)).toMatchObject({ width: 64, channels: 1 });
  expect(() => decodeJpeg(scans(5000, 8000), 0, DEFAULT_JPEG_SETTINGS)).toThrow(
    'JPEG: too many scans of 8000x8000 pixels',
  );
});

test('a file that recovery would read for ever is given up', () => {
  const settings = { ...DEFAULT_JPEG_SETTINGS, tryRecoverTruncated: true };
  expect(decodeJpeg(photo.subarray(0, 1000), 0, settings)).toMatchObject({ width: 64, height: 48 });
  // It ends amid the quantization table, which end-of-image markers then fill with their bytes the wrong way round.
  const file = Buffer.from('/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAKBueIx4ZKCMgoy0qqC+8P8=', 'base64');
  expect(() => decodeJpeg(file, 0, settings)).toThrow(
    'JPEG: cut off, and never complete with the bytes that are there',
  );
});

test('a damaged file is refused in words', () => {
  const copy = Buffer.from(photo);
  copy[copy.findIndex((byte, at) => byte === 0xff && copy[at + 1] === 0xc0) + 1] = 0xc3;
  expect(() => decodeJpeg(copy, 0, DEFAULT_JPEG_SETTINGS)).toThrow(
    'JPEG: Unsupported JPEG process: SOF type 0xc3',
  );
});

test('an image after a refused one is decoded as before', () => {
  const before = decodeJpeg(photo, 0, DEFAULT_JPEG_SETTINGS);
  expect(() => decodeJpeg(photo.subarray(0, 700), 0, DEFAULT_JPEG_SETTINGS)).toThrow('JPEG: cut off');
  expect(decodeJpeg(photo, 0, DEFAULT_JPEG_SETTINGS)).toEqual(before);
});

test('a GIF with a frame beyond the limit is refused before memory is asked for', () => {
  const header = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 0]);
  expect(() => decodeGif(Buffer.concat([header, frame]), false)).toThrow(
    'GIF: 65535x65535 pixels are too many',
  );
});
