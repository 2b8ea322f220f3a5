import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import type { Numbers } from '../../../src/label/label-check.ts';
import { readingBy } from '../../../src/label/reading.ts';

test('labels are read as the run has decided, and one that is no class is none of the listed ones', () => {
  const names = ['2', '1', '3'];
  const ids = (numbers: Numbers) => {
    const classes = new ClassList(names);
    const reading = readingBy(names, numbers);
    return ['1.0', '1', '3', '9', ' 9', '3'].map((text) => classes.names[classes.label(text, reading)]);
  };
  expect(ids('names')).toEqual(['1', '1', '3', '9', ' 9', '3']);
  expect(ids('index')).toEqual(['1', '1', '#3', '9', ' 9', '#3']);
  expect(ids('index-from-1')).toEqual(['2', '2', '3', '9', ' 9', '3']);
});

test('what is not listed becomes a class, once', () => {
  const classes = new ClassList(['cat', 'dog']);
  expect([classes.add('fish'), classes.add('fish'), classes.at(7), classes.at(7), classes.at(-1)]).toEqual([
    2, 2, 3, 3, 4,
  ]);
  expect(classes.unlisted).toEqual(['fish', '#7', '#-1']);
  expect([classes.has('fish'), classes.has('bird')]).toEqual([true, false]);
  expect(classes.at(2)).toBe(classes.add('#2'));
});

test('labels that cannot be classes end the run with an example', () => {
  const classes = new ClassList(['cat', 'dog']);
  const flood = () => {
    for (let id = 0; id < 1_001; id++) classes.add(`img-${id}`);
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
  expect(classes.add('l'.repeat(300))).toBe(1);
  expect([long, `${long}y`, long, 'x'.repeat(256)].map((text) => classes.add(text))).toEqual([2, 3, 2, 4]);
  expect(classes.unlisted[0]).toMatch(/^x{64}… \(5000000 characters, SHA-256 [0-9a-f]{16}\)$/);
  expect(classes.unlisted[2]).toBe('x'.repeat(256));
  expect(new ClassList(classes.names.slice(0, 2), classes.unlisted).unlisted).toEqual(classes.unlisted);
  for (let id = 0; id < 997; id++) classes.add(`img-${id}`);
  expect(() => classes.add(`${long}z`)).toThrow(
    expect.objectContaining({ name: 'TooManyLabels', message: expect.stringMatching(/^.{0,400}$/) }),
  );
});
