import { describe, expect, test } from 'vitest';
import { readGalleryImages } from '../../../src/app/report/gallery-images.ts';
import { readRecordTexts } from '../../../src/app/report/record-texts.ts';
import { shownMistakes } from '../../../src/report/page/gallery.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const mistake = (key: string, recordIndex = 0) => ({
  ...{ key, recordIndex, truth: 'a', predicted: 'b', confidence: 0.9, truthScore: 0.1 },
});
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const png = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]);
const MAX_IMAGE_BYTES = 36 * 1024;

describe('images of mistakes', () => {
  const read = (bodies: Readonly<Record<string, Uint8Array | string>>, room = Infinity) => {
    const store = memoryObjectStore();
    for (const [key, body] of Object.entries(bodies)) store.put(key, body);
    const mistakes = [...Object.keys(bodies), 'gone.png'].map((key) => mistake(key));
    return readGalleryImages(store, mistakes, room);
  };

  test('are those that are small, there, and images', async () => {
    const images = await read({
      'a.png': png(MAX_IMAGE_BYTES),
      'b.png': png(MAX_IMAGE_BYTES + 1),
      'c.png': '<svg/>',
    });
    expect([...images.keys()]).toEqual(['a.png']);
    expect(images.get('a.png')).toBe(`data:image/png;base64,${png(MAX_IMAGE_BYTES).toString('base64')}`);
  });

  test('are as many as there is room for, a smaller one after one that is too large', async () => {
    const one = 'data:image/png;base64,'.length + Math.ceil(300 / 3) * 4;
    const bodies = { 'a.png': png(300), 'b.png': png(600), 'c.png': png(300) };
    expect([...(await read(bodies, 2 * one)).keys()]).toEqual(['a.png', 'c.png']);
    expect([...(await read(bodies, one - 1)).keys()]).toEqual([]);
  });

  test('are read of the mistakes that the page shows, once each', async () => {
    const store = memoryObjectStore();
    const keys = Array.from({ length: 30 }, (_, at) => `${at}.png`);
    for (const key of keys) store.put(key, PNG);
    const mistakes = ['0.png', ...keys].map((key) => mistake(key));
    const shown = shownMistakes({ ...syntheticReport(2, 10), mistakes, suspectLabels: null });
    expect((await readGalleryImages(store, shown, Infinity)).size).toBe(23);
    expect(store.requests).toHaveLength(23);
  });
});

describe('texts of mistakes', () => {
  const read = async (body: string, lines: boolean, ...places: number[]) => {
    const store = memoryObjectStore();
    store.put('a', body);
    const mistakes = [...places.map((place) => mistake('a', place)), mistake('gone')];
    const texts = await readRecordTexts(store, mistakes, lines);
    return mistakes.map((each) => texts.get(each));
  };

  test.each([
    ['lines', 'one\ntwo\nthree', true, [0, 1, 2, 3], ['one', 'two', 'three', undefined]],
    ['lines of which the first is empty', '\ntwo', true, [0, 1], ['', 'two']],
    ['a last line with its end', 'one\ntwo\n', true, [1, 2], ['two', '']],
    [
      'a document, of which only the first record has a place',
      '{\n "a": 1\n}',
      false,
      [0, 1],
      ['{ "a": 1 }', undefined],
    ],
    ['what is longer than is shown', 'x'.repeat(1_201), true, [0], [`${'x'.repeat(1_200)}…`]],
    ['what is as long as is shown', 'x'.repeat(1_200), false, [0], ['x'.repeat(1_200)]],
    ['a document that is longer', 'x'.repeat(5_000), false, [0], [`${'x'.repeat(1_200)}…`]],
  ])('of %s', async (_, body, lines, places, expected) => {
    expect(await read(body, lines, ...places)).toEqual([...expected, undefined]);
  });

  test('a line that goes on behind what is read is not shown, since its end is not known', async () => {
    const body = `one\n${'x'.repeat(8_000_000)}`;
    expect(await read(body, true, 0, 1)).toEqual(['one', undefined, undefined]);
    expect((await read(body.slice(0, 7_999_999), true, 1))[0]).toMatch(/^x{1200}…$/);
    expect((await read(body.slice(3), true, 0))[0]).toBe('');
  });

  test('are read of the mistakes that the page shows, each file once', async () => {
    const store = memoryObjectStore();
    store.put('a', 'line\n'.repeat(30));
    const mistakes = Array.from({ length: 30 }, (_, at) => mistake('a', at));
    const shown = shownMistakes({ ...syntheticReport(2, 10), mistakes, suspectLabels: null });
    expect((await readRecordTexts(store, shown, true)).size).toBe(24);
    expect(store.requests).toHaveLength(1);
  });
});
