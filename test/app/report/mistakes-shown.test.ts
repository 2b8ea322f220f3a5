import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { encodePng } from '@inferdrop/image/encode-png';
import type { Pixels } from '@inferdrop/image/internal/pixels';
import { readImage } from '@inferdrop/image/read-image';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { readGalleryImages } from '../../../src/app/report/gallery-images.ts';
import { readRecordTexts } from '../../../src/app/report/record-texts.ts';
import { type GalleryImage, type GalleryPicture, shownRecords } from '../../../src/report/page/gallery.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { random } from '../../support/random.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const mistake = (key: string, recordIndex = 0) => ({
  key,
  recordIndex,
  truth: 'a',
  predicted: 'b',
  confidence: 0.9,
  truthScore: 0.1,
});
/** Noise, which no format makes small. */
function noise(width: number, height: number): Pixels {
  const next = random(width);
  return {
    width,
    height,
    channels: 3,
    data: Uint8Array.from({ length: width * height * 3 }, () => 256 * next()),
  };
}
const photo = encodePng(noise(500, 375));
const small = encodePng(noise(28, 28));
const dataUri = (bytes: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const shrunk = (file: Uint8Array, edge: number) => {
  const { type, bytes } = thumbnail(file, edge);
  return dataUri(bytes, type);
};
const now = () => new Date('2026-11-21T10:00:00.000Z');

describe('images of mistakes', () => {
  const read = (bodies: Readonly<Record<string, Uint8Array | string>>, room = Infinity, clock = now) => {
    const store = memoryObjectStore();
    for (const [key, body] of Object.entries(bodies)) store.put(key, body);
    const mistakes = [...Object.keys(bodies), 'gone.png'].map((key) => mistake(key));
    return readGalleryImages({ store, clock, thumbnail }, mistakes, room);
  };
  const sizeOf = (image: GalleryImage | undefined) => {
    const { width, height } = readImage(
      Buffer.from((image as GalleryPicture).source.split(',')[1]!, 'base64'),
      { atLeast: 10_000, maxPixels: 2 ** 24 },
    );
    return [width, height];
  };

  test('are small files as they are, and others shrunk to 160 pixels', async () => {
    const images = await read({ 'a.png': small, 'b.png': photo });
    expect(images.get('a.png')).toEqual({
      source: dataUri(small),
      isTiny: true,
    });
    expect(images.get('b.png')).toMatchObject({ isTiny: false });
    expect(sizeOf(images.get('b.png'))).toEqual([160, 120]);
  });

  test('are of every format that the product decodes', async () => {
    const folder = new URL('../../../packages/image/test/fixtures/', import.meta.url);
    const names = await readdir(folder);
    const files = names.map((name) => [name, readFileSync(new URL(name, folder))] as const);
    const images = await read(Object.fromEntries(files));
    expect([...images].filter(([, image]) => 'reason' in image).map(([key]) => key)).toEqual(['gone.png']);
    for (const [name, file] of files) {
      const [width = 0, height = 0] = sizeOf({ source: shrunk(file, 8), isTiny: false });
      expect(Math.max(width, height), name).toBe(8);
    }
  });

  test('have a reason where they cannot be shown', async () => {
    const images = await read({
      'text.png': '<svg/>',
      'empty.png': '',
      'cut.png': photo.subarray(0, 40_000),
      'huge.png': Buffer.concat([photo, Buffer.alloc(32 * 2 ** 20)]),
    });
    expect(Object.fromEntries(images)).toEqual({
      'text.png': { reason: 'not shown: the file is not an image' },
      'empty.png': { reason: 'not shown: the file is empty' },
      'cut.png': { reason: expect.stringMatching(/^not shown: .*PNG/) },
      'huge.png': { reason: 'not shown: the file is larger than 33.6 MB' },
      'gone.png': { reason: 'not shown: the file is no longer there' },
    });
  });

  test('are smaller when a third and two thirds of the room are taken, and no more are read when it is full', async () => {
    const bodies = { 'a.png': photo, 'b.png': photo, 'c.png': photo, 'd.png': photo, 'e.png': small };
    const room = 1.8 * shrunk(photo, 160).length;
    const images = await read(bodies, room);
    expect(sizeOf(images.get('a.png'))).toEqual([160, 120]);
    expect(sizeOf(images.get('b.png'))).toEqual([96, 72]);
    expect(sizeOf(images.get('c.png'))).toEqual([64, 48]);
    expect(sizeOf(images.get('d.png'))).toEqual([64, 48]);
    expect(sizeOf(images.get('e.png'))).toEqual([28, 28]);
    expect([...(await read({ 'a.png': photo, 'b.png': small }, 300)).keys()]).toEqual([]);
  });

  test('are decoded for a minute at most', async () => {
    let seconds = 0;
    const clock = () => new Date(1_000 * (seconds += 31));
    const images = await read({ 'a.png': photo, 'b.png': photo, 'c.png': small }, Infinity, clock);
    expect(sizeOf(images.get('a.png'))).toEqual([160, 120]);
    expect(images.get('b.png')).toEqual({
      reason: 'not shown: decoding the images of the page took too long',
    });
    expect(sizeOf(images.get('c.png'))).toEqual([28, 28]);
  });

  test('are read of the mistakes that the page shows, once each', async () => {
    const store = memoryObjectStore();
    const keys = Array.from({ length: 30 }, (_, at) => `${at}.png`);
    for (const key of keys) store.put(key, small);
    const mistakes = ['0.png', ...keys].map((key) => mistake(key));
    const shown = shownRecords({ ...syntheticReport(2, 10), mistakes, suspectLabels: null, exemplars: [] });
    expect((await readGalleryImages({ store, clock: now, thumbnail }, shown, Infinity)).size).toBe(23);
    expect(store.requests).toHaveLength(23);
  });

  test('take room as often as the page shows them', async () => {
    const store = memoryObjectStore();
    store.put('a.png', small);
    const { length } = dataUri(small);
    const twice = [mistake('a.png'), mistake('a.png')];
    const services = { store, clock: now, thumbnail };
    const images = await readGalleryImages(services, twice, 2 * length);
    expect(images.get('a.png')).toEqual({ source: dataUri(small), isTiny: true });
    expect((await readGalleryImages(services, twice, 2 * length - 1)).get('a.png')).not.toEqual(
      images.get('a.png'),
    );
    expect((await readGalleryImages(services, twice, length / 2)).get('a.png')).toBeUndefined();
  });
});

describe('texts of mistakes', () => {
  const read = async (body: string, ...places: number[]) => {
    const store = memoryObjectStore();
    store.put('a', body);
    const mistakes = [...places.map((place) => mistake('a', place)), mistake('gone')];
    const texts = await readRecordTexts(store, mistakes);
    return mistakes.map((each) => texts.get(each));
  };

  test.each([
    [
      'a document, of which only the first record has a place',
      '{\n "a": 1\n}',
      [0, 1],
      ['{ "a": 1 }', undefined],
    ],
    ['what is longer than is shown', 'x'.repeat(1_201), [0], [`${'x'.repeat(1_200)}…`]],
    ['what is as long as is shown', 'x'.repeat(1_200), [0], ['x'.repeat(1_200)]],
    ['a document that is longer', 'x'.repeat(5_000), [0], [`${'x'.repeat(1_200)}…`]],
  ])('of %s', async (_, body, places, expected) => {
    expect(await read(body, ...places)).toEqual([...expected, undefined]);
  });

  test('are read of the mistakes that the page shows, each file once', async () => {
    const store = memoryObjectStore();
    store.put('a', 'line\n'.repeat(30));
    const mistakes = Array.from({ length: 30 }, (_, at) => mistake('a', at));
    const shown = shownRecords({ ...syntheticReport(2, 10), mistakes, suspectLabels: null, exemplars: [] });
    expect((await readRecordTexts(store, shown)).size).toBe(1);
    expect(store.requests).toHaveLength(1);
  });
});
