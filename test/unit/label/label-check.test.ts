import { expect, test } from 'vitest';
import { LabelTally } from '../../../src/label/label-tally.ts';

test('defects are counted by their kind, each with its examples', () => {
  const tally = new LabelTally({ classes: ['cat', 'dog'], numbers: null });
  tally.input('a.png', true);
  tally.input('b.png', true);
  tally.input('c.png', false);
  for (const label of ['cat', ' dog', 'fish']) tally.label('a.png', label);
  tally.noInput('z.png');
  tally.conflict('a.png', 'cat', 'dog');
  const found = {
    inputs: 3,
    isWhole: true,
    labeled: 2,
    noClass: { count: 1, examples: ['"fish" of a.png'] },
    noInput: { count: 1, examples: ['z.png'] },
    conflicting: { count: 1, examples: ['a.png ("cat", then "dog")'] },
    unlabeled: { count: 1, examples: ['c.png'] },
  };
  expect(tally.finish().check).toEqual(found);
  tally.leaveRest();
  expect(tally.finish().check).toEqual({ ...found, isWhole: false });
});

test('ten examples of a defect are kept, all are counted', () => {
  const tally = new LabelTally({ classes: ['cat', 'dog'], numbers: null });
  for (let at = 0; at < 12; at++) tally.input(`${at}.png`, false);
  const { count, examples } = tally.finish().check.unlabeled;
  expect([count, examples.length, examples[9]]).toEqual([12, 10, '9.png']);
});

test('of more than 1000 labels that are not listed, the one too many is named', () => {
  const tally = new LabelTally({ classes: ['cat', 'dog'], numbers: null });
  for (let at = 0; at < 1_000; at++) tally.label('a.png', `x${at}`);
  tally.label('a.png', 'x0');
  expect(tally.finish().tooMany).toBeUndefined();
  for (const label of ['y', 'z']) tally.label('a.png', label);
  expect(tally.finish().tooMany).toBe('z');
});

test('labels are read once all are known, with examples and a count of each class', () => {
  const tally = new LabelTally({ classes: ['cat', 'dog', 'bird'], numbers: null });
  for (const [at, label] of ['0', '2.0', '1', '0', 'nan'].entries()) tally.label(`${at}.png`, label);
  tally.also('01');
  expect(tally.finish()).toMatchObject({
    reading: {
      numbers: 'index',
      hasNumbers: true,
      counts: [2, 1, 1],
      examples: [
        { where: '0.png', label: '0', class: 'cat' },
        { where: '1.png', label: '2.0', class: 'bird' },
        { where: '2.png', label: '1', class: 'dog' },
      ],
    },
    check: { noClass: { count: 1, examples: ['"nan" of 4.png (a missing value)'] } },
  });
});

test('a label elsewhere in the drop counts for nothing, and shows how labels are written', () => {
  const tally = new LabelTally({ classes: ['1', '2', '3'], numbers: null });
  tally.label('a.png', '1');
  expect(tally.finish().reading).toMatchObject({ kind: 'refused' });
  tally.also('3');
  expect(tally.finish().reading).toMatchObject({ numbers: 'names', counts: [1, 0, 0] });
});

test('a label that is near a class is none, and its example says which', () => {
  const tally = new LabelTally({ classes: ['cat', 'bird'], numbers: null });
  for (const label of ['Cat', 'bird', 'bierd', 'fish']) tally.label('a.png', label);
  expect(tally.finish().check.noClass).toEqual({
    count: 3,
    examples: [
      '"Cat" of a.png (did you mean "cat"?)',
      '"bierd" of a.png (did you mean "bird"?)',
      '"fish" of a.png',
    ],
  });
});

test('many more different labels than classes are not kept', () => {
  const tally = new LabelTally({ classes: ['cat', 'dog'], numbers: null });
  for (let at = 0; at < 1_010; at++) tally.label('a.png', `x${at}`);
  expect(tally.finish().tooMany).toBe('x1008');
});
