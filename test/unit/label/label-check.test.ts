import { expect, test } from 'vitest';
import { LabelTally } from '../../../src/label/label-tally.ts';

test('defects are counted by their kind, each with its examples', () => {
  const tally = new LabelTally(['cat', 'dog']);
  tally.input('a.png', true);
  tally.input('b.png', true);
  tally.input('c.png', false);
  for (const label of ['cat', '1', 'fish']) tally.label('a.png', label);
  tally.noInput('z.png');
  tally.conflict('a.png', 'cat', 'dog');
  const found = {
    inputs: 3,
    isWhole: true,
    labelled: 2,
    noClass: { count: 1, examples: ['"fish" of a.png'] },
    noInput: { count: 1, examples: ['z.png'] },
    conflicting: { count: 1, examples: ['a.png ("cat", then "dog")'] },
    unlabelled: { count: 1, examples: ['c.png'] },
  };
  expect(tally.finish()).toEqual(found);
  tally.leaveRest();
  expect(tally.finish()).toEqual({ ...found, isWhole: false });
});

test('ten examples of a defect are kept, all are counted', () => {
  const tally = new LabelTally(['cat', 'dog']);
  for (let at = 0; at < 12; at++) tally.input(`${at}.png`, false);
  const { count, examples } = tally.finish().unlabelled;
  expect([count, examples.length, examples[9]]).toEqual([12, 10, '9.png']);
});

test('of more than 1000 labels that are not listed, the one too many is named', () => {
  const tally = new LabelTally(['cat', 'dog']);
  for (let at = 0; at < 1_000; at++) tally.label('a.png', `x${at}`);
  tally.label('a.png', 'x0');
  expect(tally.tooMany).toBeUndefined();
  for (const label of ['y', 'z']) tally.label('a.png', label);
  expect(tally.tooMany).toBe('y');
});
