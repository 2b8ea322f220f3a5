import { expect, test } from 'vitest';
import { InputKinds } from '../../../src/plan/judge/input-kinds.ts';

const notesOf = (keys: readonly string[]) => {
  const kinds = new InputKinds();
  for (const key of keys) kinds.add(key);
  return kinds.notes();
};

test.each([
  [[]],
  [['a.png']],
  [['a.png', 'b.JPG', 'c.jpeg', 'd.webp']],
  [['in/a', 'in.v2/b']],
  [['a.tar', 'b.TGZ', 'c.tar.gz', 'd.png']],
])('inputs of one kind are worth no note: %j', (keys) => {
  expect(notesOf(keys)).toEqual([]);
});

test('inputs of another kind than the rest are counted, with an example', () => {
  expect(notesOf(['a.png', 'b.jpg', 'in/notes.txt', 'c.png', 'README', 'x.txt'])).toEqual([
    '3 of 6 inputs are of another kind than the rest (image): 2 txt, 1 without an extension, such as "in/notes.txt". ' +
      'The model gets them all the same: take out what it cannot read',
  ]);
});

test.each([
  [
    ['a.png', 'b.png', 'c.txt'],
    '1 of 3 inputs is of another kind than the rest (image): 1 txt, such as "c.txt".',
  ],
  [['a.png', 'b.png', 'a.a', 'a.b', 'a.c', 'a.d', 'a.e'], '1 a, 1 b, 1 c, 1 d, 1 e, such as "a.a".'],
  [['a.png', 'b.png', 'a.a', 'a.b', 'a.c', 'a.d', 'a.e', 'a.f'], '1 d, 1 e, …, such as "a.a".'],
])('of %j five other kinds are named', (keys, text) => {
  expect(notesOf(keys)).toEqual([expect.stringContaining(text)]);
});

test('memory is bounded where every input has an extension of its own', () => {
  const [note] = notesOf(['a.png', 'b.png', ...Array.from({ length: 1_000 }, (_, at) => `c.x${at}`)]);
  expect(note).toMatch(/^101 of 1002 inputs are of another kind than the rest \(others\): 2 image, /);
  const known = Array.from({ length: 100 }, (_, at) => `a.x${at}`);
  expect(notesOf([...known, ...known, 'b.x99', 'c.y'])[0]).toMatch(
    /^199 of 202 .* \(x99\): .*, such as "a\.x0"/,
  );
});
