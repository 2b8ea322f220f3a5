import { expect, test } from 'vitest';
import { classesOf, truthsOfNames } from '../../../src/init/truth-of-names.ts';

const proposals = (names: readonly string[], count?: number, classes?: readonly string[]) =>
  truthsOfNames(names, { count, names: classes }).map(({ truth, labels }) => ({ truth, labels }));

test('folders are classes, whether the classes are known or not', () => {
  const names = ['cat/1.png', 'cat/2.png', 'dog/1.png'];
  const folder = { truth: { from: 'folder' }, labels: ['cat', 'cat', 'dog'] };
  expect(proposals(names, 2)).toEqual([folder]);
  expect(proposals(names, undefined)).toEqual([folder]);
  expect(proposals(names, 2, ['dog', 'cat'])).toEqual([folder]);
});

test.each([
  [
    ['0001-cat.png', '0002-dog.png'],
    ['cat', 'dog'],
  ],
  [
    ['cat.12.jpg', 'dog.3.jpg'],
    ['cat', 'dog'],
  ],
  [
    ['ankle-boot_01.png', 't-shirt_02.png'],
    ['ankle-boot', 't-shirt'],
  ],
  [
    ['7_a.png', '3_b.png'],
    ['7', '3'],
  ],
])('a place in names like %j is a class', (names, labels) => {
  expect(proposals(names, 2).map((one) => one.labels)).toContainEqual(labels);
});

test('a name is taken for a class only if all of the classes are there', () => {
  const names = ['cat_1.png', 'dog_2.png', 'cow_3.png', 'cow_4.png', 'cat_5.png'];
  expect(proposals(names, 3)).toHaveLength(1);
  expect(proposals(names, 4)).toEqual([]);
  expect(proposals(names, undefined)).toEqual([]);
});

test('a label may be the place of a known class, from 0 or from 1 on', () => {
  expect(proposals(['0/a.png', '2/b.png', '9/c.png'], 2, ['no', 'yes'])).toEqual([]);
  expect(proposals(['0/a.png', '2/b.png'], 2, ['no', 'yes'])).toEqual([
    { truth: { from: 'folder' }, labels: ['0', '2'] },
  ]);
});

test('one file in twenty may be without a class', () => {
  const names = Array.from({ length: 19 }, (_, at) => `${at % 2 === 0 ? 'cat' : 'dog'}/${at}.png`);
  expect(proposals([...names, 'readme.png'], 2)).toHaveLength(1);
  expect(proposals([...names, 'readme.png', 'other.png'], 2)).toEqual([]);
});

test('places that read different labels are a question', () => {
  expect(proposals(['cat/red.png', 'dog/blue.png'], 2).map(({ labels }) => labels)).toEqual([
    ['cat', 'dog'],
    ['red', 'blue'],
  ]);
});

test('classes are sorted by their characters, as Keras and torchvision sort folders', () => {
  expect(classesOf(['b', '10', undefined, '2', 'B', 'b'])).toEqual(['10', '2', 'B', 'b']);
});
