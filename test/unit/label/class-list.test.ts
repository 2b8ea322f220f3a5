import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';

test('a name goes before an index of the same spelling', () => {
  const digits = new ClassList(['7', '8', '9']);
  expect(digits.resolve('7')).toBe(0);
  expect(digits.resolve('1')).toBe(1);
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
});

test('labels that cannot be classes end the run with an example', () => {
  const classes = new ClassList(['cat', 'dog']);
  const flood = () => {
    for (let id = 0; id < 1_001; id++) classes.resolve(`img-${id}`);
  };
  expect(flood).toThrow(
    expect.objectContaining({ name: 'TooManyLabels', message: expect.stringContaining('"img-1000"') }),
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
  expect(new ClassList(classes.names.slice(0, 2), classes.unlisted).unlisted).toEqual(classes.unlisted);
  for (let id = 0; id < 997; id++) classes.resolve(`img-${id}`);
  expect(() => classes.resolve(`${long}z`)).toThrow(
    expect.objectContaining({ name: 'TooManyLabels', message: expect.stringMatching(/^.{0,400}$/) }),
  );
});
