import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';

test('a name goes before an index of the same spelling', () => {
  const digits = new ClassList(['7', '8', '9']);
  expect(digits.resolve('7')).toBe(0);
  expect(digits.resolve('1')).toBe(1);
  expect(new ClassList(['a', 'a']).resolve('a')).toBe(0);
});

test('what is not listed becomes a class, once', () => {
  const classes = new ClassList(['cat', 'dog']);
  expect([
    classes.resolve('fish'),
    classes.resolve('fish'),
    classes.resolve('7'),
    classes.at(7),
    classes.at(-1),
  ]).toEqual([2, 2, 3, 3, 4]);
  expect(classes.unlisted).toEqual(['fish', '#7', '#-1']);
  expect([classes.has('fish'), classes.has('bird')]).toEqual([true, false]);
  expect(classes.at(2)).toBe(classes.resolve('#2'));
});

test('labels that cannot be classes end the run with an example', () => {
  const classes = new ClassList(['cat', 'dog']);
  const flood = () => {
    for (let id = 0; id < 1_001; id++) classes.resolve(`img-${id}`);
  };
  expect(flood).toThrow(
    expect.objectContaining({
      name: 'TooManyLabels',
      message: expect.stringMatching(
        /^pipeline\.json: labels\.classes misses more than 1000 .* such as "img-1000"/,
      ),
    }),
  );
});

test('a text of megabytes is a class of few characters, distinct from another one', () => {
  const classes = new ClassList(['cat', 'l'.repeat(300)]);
  const long = 'x'.repeat(5_000_000);
  expect(classes.resolve('l'.repeat(300))).toBe(1);
  expect([long, `${long}y`, long, 'x'.repeat(256)].map((text) => classes.resolve(text))).toEqual([
    2, 3, 2, 4,
  ]);
  expect(classes.unlisted[0]).toMatch(/^x{64}… \(5000000 characters, SHA-256 [0-9a-f]{16}\)$/);
  expect(classes.unlisted[2]).toBe('x'.repeat(256));
  expect(new ClassList(classes.names.slice(0, 2), classes.unlisted).unlisted).toEqual(classes.unlisted);
  for (let id = 0; id < 997; id++) classes.resolve(`img-${id}`);
  expect(() => classes.resolve(`${long}z`)).toThrow(
    expect.objectContaining({ name: 'TooManyLabels', message: expect.stringMatching(/^.{0,400}$/) }),
  );
});

test.each([
  ['cat', true],
  ['1', true],
  ['1.0', true],
  ['2', false],
  ['-1', false],
  ['', false],
  ['fish', false],
  ['bird', false],
])('of cat and dog, the label %j is listed: %s', (label, isListed) => {
  expect(new ClassList(['cat', 'dog'], ['fish']).lists(label)).toBe(isListed);
});
