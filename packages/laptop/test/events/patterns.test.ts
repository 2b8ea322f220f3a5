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
  ['prefix without case', { a: [{ prefix: { 'equals-ignore-case': 'IN/' } }] }, { a: 'in/k' }, true],
  ['suffix', { a: [{ suffix: '.png' }] }, { a: 'k.png' }, true],
  ['suffix, not', { a: [{ suffix: '.png' }] }, { a: 'k.jpg' }, false],
  ['equals-ignore-case', { a: [{ 'equals-ignore-case': 'ALICE' }] }, { a: 'alice' }, true],
  ['anything-but', { a: [{ 'anything-but': 'x' }] }, { a: 'y' }, true],
  ['anything-but, not', { a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'y' }, false],
  ['anything-but of nothing', { a: [{ 'anything-but': 'x' }] }, {}, false],
  ['anything-but prefix', { a: [{ 'anything-but': { prefix: 'in' } }] }, { a: 'inside' }, false],
  ['anything-but suffixes', { a: [{ 'anything-but': { suffix: ['.a', '.b'] } }] }, { a: 'x.c' }, true],
  ['anything-but wildcard', { a: [{ 'anything-but': { wildcard: '*/lib/*' } }] }, { a: 'a/lib/b' }, false],
  ['exists', { a: [{ exists: true }] }, { a: '' }, true],
  ['exists, not there', { a: [{ exists: true }] }, {}, false],
  ['exists false', { a: [{ exists: false }] }, {}, true],
  ['exists false in an absent object', { a: { b: [{ exists: false }] } }, {}, true],
  ['exists false, there', { a: [{ exists: false }] }, { a: 1 }, false],
  ['exists on an object, which is no leaf', { a: [{ exists: true }] }, { a: { b: 1 } }, false],
  ['numeric range', { a: [{ numeric: ['>', 0, '<=', 5] }] }, { a: 5 }, true],
  ['numeric range, outside', { a: [{ numeric: ['>', 0, '<=', 5] }] }, { a: 0 }, false],
  ['numeric equality', { a: [{ numeric: ['=', 3.018e2] }] }, { a: 301.8 }, true],
  ['numeric on text', { a: [{ numeric: ['=', 1] }] }, { a: '1' }, false],
  ['wildcard', { a: [{ wildcard: 'in/*/img-*.png' }] }, { a: 'in/p/img-1.png' }, true],
  ['wildcard, not', { a: [{ wildcard: 'in/*/img-*.png' }] }, { a: 'in/img-1.png' }, false],
  ['wildcard does not count a character twice', { a: [{ wildcard: 'ab*ba' }] }, { a: 'aba' }, false],
  ['wildcard with a star of its own', { a: [{ wildcard: 'a\\*b' }] }, { a: 'a*b' }, true],
  ['cidr', { a: [{ cidr: '10.0.0.0/24' }] }, { a: '10.0.0.255' }, true],
  ['cidr, outside', { a: [{ cidr: '10.0.0.0/24' }] }, { a: '10.0.1.0' }, false],
  ['cidr of version 6', { a: [{ cidr: '2001:db8::/32' }] }, { a: '2001:db8::1' }, true],
  ['$or', { $or: [{ a: ['x'] }, { b: ['y'] }] }, { b: 'y' }, true],
  ['$or, neither', { $or: [{ a: ['x'] }, { b: ['y'] }] }, { b: 'x' }, false],
  ['$or beside a field', { c: ['z'], $or: [{ a: ['x'] }, { b: ['y'] }] }, { b: 'y' }, false],
])('%s', (_, pattern, detail, expected) => {
  expect(matches(pattern, detail)).toBe(expected);
});

test.each<[string, unknown, RegExp]>([
  ['a bare value', { a: 'x' }, /detail\.a: must be an object or a list/],
  ['an empty list', { a: [] }, /detail\.a: empty lists/],
  ['an empty object', { a: {} }, /detail\.a: empty objects/],
  ['an unknown operator', { a: [{ startsWith: 'x' }] }, /unrecognized match type startsWith/],
  ['a bad numeric', { a: [{ numeric: ['>', 'x'] }] }, /numeric must be like/],
  ['a bad cidr', { a: [{ cidr: '10.0.0.0/33' }] }, /cidr must be like/],
  ['two stars in a row', { a: [{ wildcard: 'a**' }] }, /consecutive wildcards/],
])('%s is refused with the field', (_, pattern, message) => {
  expect(() => matches(pattern, {})).toThrow(
    expect.objectContaining({
      code: 'InvalidEventPatternException',
      message: expect.stringMatching(message),
    }),
  );
});
