import { expect, test } from 'vitest';
import { InputKinds } from '../../../src/plan/input-kinds.ts';

const notesOf = (keys: readonly string[]) => {
  const kinds = new InputKinds();
  for (const key of keys) kinds.add(key);
  return kinds.notes();
};

test.each([[[]], [['a.png']], [['a.png', 'b.JPG', 'c.jpeg', 'd.webp']], [['in/a', 'in.v2/b']]])(
  'inputs of one kind are worth no note: %j',
  (keys) => {
    expect(notesOf(keys)).toEqual([]);
  },
);

test('inputs of another kind than the rest are counted, with an example', () => {
  expect(notesOf(['a.png', 'b.jpg', 'in/notes.txt', 'c.png', 'README', 'x.txt'])).toEqual([
    '3 of 6 inputs are of another kind than the rest (image): 2 txt, 1 without an extension, such as "in/notes.txt". ' +
      'The model gets them all the same: take out what it cannot read',
  ]);
});

test('memory is bounded where every input has an extension of its own', () => {
  const [note] = notesOf(['a.png', 'b.png', ...Array.from({ length: 1_000 }, (_, at) => `c.x${at}`)]);
  expect(note).toMatch(/^101 of 1002 inputs are of another kind than the rest \(others\): 2 image, /);
});
