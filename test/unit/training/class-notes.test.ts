import { expect, test } from 'vitest';
import { classNotes } from '../../../src/training/class-notes.ts';

const classes = (files: Readonly<Record<string, number>>) =>
  Object.entries(files).map(([name, count]) => ({ name, files: count }));
const many = (count: number, files: (at: number) => number) =>
  classes(Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, files(at)])));

test('classes with files enough are only counted', () => {
  expect(classNotes(classes({ cat: 200, dog: 10 }))).toEqual(['files by class: cat 200, dog 10']);
});

test('no file of a known class says nothing', () => {
  expect(classNotes(classes({ cat: 0, dog: 0 }))).toEqual([]);
});

test('an absent class is named', () => {
  expect(classNotes(classes({ cat: 12, dog: 0 }))).toEqual([
    'files by class: cat 12, dog 0',
    "no file has the class dog: the model can't learn it",
  ]);
});

test.each([
  [{ cat: 20, dog: 9 }, 'dog 9', 'cat 20'],
  [{ cat: 1_000, dog: 49, fox: 50 }, 'dog 49', 'cat 1,000'],
  [{ cat: 3 }, 'cat 3', 'cat 3'],
])('few files of %j', (files, few, most) => {
  expect(classNotes(classes(files)).at(-1)).toBe(
    `few files of ${few}: a class needs 10 and a twentieth of the largest (${most}) to be learned well`,
  );
});

test('many classes are counted by their extremes, and the first are named', () => {
  const [counted, absent, ...more] = classNotes(many(50, (at) => (at < 25 ? 0 : at)));
  expect(counted).toBe('files by class: c25 25 to c49 49, in 50 classes');
  expect(absent).toMatch(/^no file has the class c0, c1, .*, c19, …: the model can't learn it$/);
  expect(more).toEqual([]);
});
