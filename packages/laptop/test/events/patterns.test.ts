import { expect, test } from 'vitest';
import { parsePattern } from '../../events/rule-store.ts';

const matches = (pattern: unknown, detail: unknown): boolean =>
  parsePattern(JSON.stringify({ detail: pattern }))({ source: 's', detail });

test.each<[string, unknown, unknown, boolean]>([
  ['a listed value', { a: ['x', 'y'] }, { a: 'y' }, true],
  ['no listed value', { a: ['x', 'y'] }, { a: 'z' }, false],
  ['a number is no text', { a: [1] }, { a: '1' }, false],
  ['null', { a: [null] }, { a: null }, true],
  ['one item of a list', { a: ['x'] }, { a: ['w', 'x'] }, true],
  ['all fields', { a: ['x'], b: ['y'] }, { a: 'x', b: 'z' }, false],
  ['a nested field', { a: { b: ['x'] } }, { a: { b: 'x' } }, true],
  [
    'a field of one object of a list',
    { a: { b: ['x'], c: ['y'] } },
    { a: [{ b: 'x' }, { b: 'x', c: 'y' }] },
    true,
  ],
  [
    'fields of different objects of a list',
    { a: { b: ['x'], c: ['y'] } },
    { a: [{ b: 'x' }, { c: 'y' }] },
    false,
  ],
  ['prefix', { a: [{ prefix: 'in/' }] }, { a: 'in/k' }, true],
  ['prefix, not', { a: [{ prefix: 'in/' }] }, { a: 'out/k' }, false],
  ['suffix', { a: [{ suffix: '.png' }] }, { a: 'k.png' }, true],
  ['suffix, not', { a: [{ suffix: '.png' }] }, { a: 'k.jpg' }, false],
  ['anything-but', { a: [{ 'anything-but': 'x' }] }, { a: 'y' }, true],
  ['anything-but, not', { a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'y' }, false],
  ['anything-but of nothing', { a: [{ 'anything-but': 'x' }] }, {}, false],
  ['anything-but prefix', { a: [{ 'anything-but': { prefix: 'in' } }] }, { a: 'inside' }, false],
  ['anything-but suffixes', { a: [{ 'anything-but': { suffix: ['.a', '.b'] } }] }, { a: 'x.c' }, true],
  ['exists', { a: [{ exists: true }] }, { a: '' }, true],
  ['exists, not there', { a: [{ exists: true }] }, {}, false],
  ['exists false', { a: [{ exists: false }] }, {}, true],
  ['exists false in an absent object', { a: { b: [{ exists: false }] } }, {}, true],
  ['exists false, there', { a: [{ exists: false }] }, { a: 1 }, false],
  ['exists on an object, which is no leaf', { a: [{ exists: true }] }, { a: { b: 1 } }, false],
])('%s', (_, pattern, detail, expected) => {
  expect(matches(pattern, detail)).toBe(expected);
});

test.each<[string, unknown, RegExp]>([
  ['a bare value', { a: 'x' }, /detail\.a: must be an object or a list/],
  ['an empty list', { a: [] }, /detail\.a: empty lists/],
  ['an empty object', { a: {} }, /detail\.a: empty objects/],
  ['an unknown operator', { a: [{ startsWith: 'x' }] }, /unrecognized match type startsWith/],
  ['what is not emulated', { a: [{ numeric: ['>', 1] }] }, /detail\.a: numeric is not emulated/],
  ['$or', { $or: [{ a: ['x'] }, { b: ['y'] }] }, /detail\.\$or: is not emulated/],
])('%s is refused with the field', (_, pattern, message) => {
  expect(() => matches(pattern, {})).toThrow(
    expect.objectContaining({
      code: 'InvalidEventPatternException',
      message: expect.stringMatching(message),
    }),
  );
});
