import { describe, expect, test } from 'vitest';
import type { Dimension } from '../../../src/slice/dimension.ts';
import { parseSliceName, toSliceName } from '../../../src/slice/slice-name.ts';
import { IMAGE_VALUES, imageValue, sliceValues } from '../../../src/slice/slice-values.ts';

const PREFIX = 'incoming/shapes/monday/';
const folder = (level: number): Dimension => ({ from: 'folder', name: `level${level}`, level });
const group = (name: string, pattern: string): Dimension => ({ from: 'key', name, pattern });
const valuesOf = (dimensions: Dimension[], key: string, more: object = {}) =>
  sliceValues(dimensions, PREFIX)({ key: `${PREFIX}${key}`, ...more });

test.each([
  ['a/b/1.png', ['a', 'b', null]],
  ['a/1.png', ['a', null, null]],
  ['1.png', [null, null, null]],
  ['a//1.png', ['a', null, null]],
  ['a/b/c/d/1.png', ['a', 'b', 'c']],
])('folders of %s', (key, values) => {
  expect(valuesOf([folder(1), folder(2), folder(3)], key)).toEqual(values);
});

describe('named groups', () => {
  const pattern = '(?P<site>[a-z]+)-(?P<camera>cam[0-9])?';

  test('are dimensions of one search', () => {
    const dimensions = [group('camera', pattern), group('site', pattern)];
    expect(valuesOf(dimensions, 'harbour-cam3.png')).toEqual(['cam3', 'harbour']);
    expect(valuesOf(dimensions, 'harbour-7.png')).toEqual([null, 'harbour']);
    expect(valuesOf(dimensions, '77.png')).toEqual([null, null]);
  });

  test('of two patterns do not mix', () => {
    const dimensions = [group('site', '/(?P<site>[a-z]+)-'), group('day', '(?<day>[0-9]+)\\.png')];
    const read = sliceValues(dimensions, PREFIX);
    for (const [key, values] of [
      ['a-1.png', ['a', '1']],
      ['b-2.png', ['b', '2']],
      ['3.png', [null, '3']],
    ] as const)
      expect(read({ key: `${PREFIX}${key}` })).toEqual(values);
  });
});

test('cells of the label file come in the order of the dimensions that read them', () => {
  const dimensions: Dimension[] = [
    { from: 'file', name: 'shift', column: 'Shift' },
    folder(1),
    { from: 'file', name: 'operator', column: 'who' },
  ];
  expect(valuesOf(dimensions, 'a/1.png', { fields: ['night', ''] })).toEqual(['night', 'a', null]);
  expect(valuesOf(dimensions, 'a/1.png')).toEqual([null, 'a', null]);
});

test('a long value is cut', () => {
  const [value] = valuesOf([folder(1)], `${'x'.repeat(300)}/1.png`);
  expect(value).toBe(`${'x'.repeat(199)}…`);
});

test.each([
  ['width', { width: 63 }, '0-63'],
  ['width', { width: 64 }, '64-127'],
  ['height', { height: 4095 }, '2048-4095'],
  ['height', { height: 4096 }, '4096 or more'],
  ['brightness', { brightness: 0 }, '0-63'],
  ['brightness', { brightness: 191.9 }, '128-191'],
  ['brightness', { brightness: 255 }, '192-255'],
  ['brightness', { isLate: true }, 'not measured'],
  ['format', {}, 'webp'],
  ['width', {}, undefined],
] as const)('%s of %j is %s', (property, facts, value) => {
  expect(imageValue(property, { format: 'WebP', ...facts })).toBe(value);
  if (value !== undefined) expect(IMAGE_VALUES[property]).toContain(value);
});

test.each([
  ['site', 'B', 'site=B'],
  ['site', 'a=b', 'site=a=b'],
  ['site', null, 'site='],
])('%s and %s are the slice %s', (dimension, value, name) => {
  expect(toSliceName(dimension, value)).toBe(name);
  expect(parseSliceName(name)).toEqual({ dimension, value });
});

test.each(['*', 'site', '=B'])('%s names no slice', (name) => {
  expect(parseSliceName(name)).toBeUndefined();
});
