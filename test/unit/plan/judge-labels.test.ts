import { expect, test } from 'vitest';
import type { Finding, LabelCheck } from '../../../src/label/label-check.ts';
import { judgeLabels } from '../../../src/plan/judge-labels.ts';

const finding = (count: number): Finding => ({ count, examples: ['a', 'b', 'c', 'd'].slice(0, count) });
const RIGHT: LabelCheck = {
  ...{ inputs: 9, isWhole: true, labelled: 9 },
  ...{ noClass: finding(0), noInput: finding(0), conflicting: finding(0), unlabelled: finding(0) },
};
const FILE = { from: 'file', path: 'labels.csv' } as const;
const RECORD = { from: 'record', path: '$.label' } as const;
const found = {
  tooMany: undefined,
  truth: FILE,
  strict: false,
  labelsFile: 'job.json',
  isGated: false,
} as const;

test.each([
  [FILE, {}, []],
  [
    FILE,
    { unlabelled: finding(1) },
    [
      '1 of 9 inputs has no label, such as a: what has no label is predicted, and counts in no figure of quality',
    ],
  ],
  [
    RECORD,
    { unlabelled: finding(2), isWhole: false },
    [/^2 of 9 records have no label, of those looked at, such as a; b: /],
  ],
  [
    FILE,
    { unlabelled: finding(4), labelled: 0 },
    ['labels.csv finds no label for any of 9 inputs, such as a; b; c: without labels there is no accuracy'],
  ],
  [
    RECORD,
    { unlabelled: finding(1), inputs: 1, labelled: 0 },
    ['labels.truth finds no label for any of 1 record, such as a: without labels there is no accuracy'],
  ],
  [
    FILE,
    { noClass: finding(1), noInput: finding(1), conflicting: finding(1) },
    [
      '1 of the labels that labels.csv gives is not in labels.classes, such as a: each counts as a class of its own, which no prediction can be',
      '1 row of labels.csv names no file, such as a: they are not used',
      'labels.csv gives two different labels to 1 key, such as a: the last row counts',
    ],
  ],
  [
    FILE,
    { noClass: finding(2), noInput: finding(2), conflicting: finding(2), isWhole: false },
    [
      /^2 of the labels that labels.csv gives are not in labels.classes, of those looked at, such as a; b: /,
      /^2 rows of labels.csv name no file, such as a; b: /,
      /^labels.csv gives two different labels to 2 keys, such as a; b: /,
    ],
  ],
])('labels from %j with %j are noted, or refused where they are strict', (truth, defects, notes) => {
  const check = { ...RIGHT, ...defects };
  const judged = judgeLabels({ ...found, check, truth });
  expect(judged.problems).toEqual([]);
  expect(judged.notes).toEqual(
    notes.map((note) => (typeof note === 'string' ? note : expect.stringMatching(note))),
  );
  const strict = judgeLabels({ ...found, check: { ...check, isWhole: true }, truth, strict: true });
  expect(strict.notes).toEqual([]);
  expect(strict.problems).toHaveLength(notes.length);
  for (const { file, field, message } of strict.problems)
    expect([file, field, message.slice(0, 17)]).toEqual([
      'pipeline.json',
      'labels.strict',
      'refuses the run: ',
    ]);
});

test('strict labels must all have been looked at', () => {
  const { problems } = judgeLabels({ ...found, check: { ...RIGHT, isWhole: false }, strict: true });
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('cannot be held before the run is paid for: 9 inputs could be looked at'),
  ]);
});

test('too many labels beside the classes are refused, strict or not', () => {
  for (const strict of [false, true])
    expect(judgeLabels({ ...found, check: RIGHT, tooMany: 'img-7', strict }).problems).toEqual([
      {
        ...{ file: 'job.json', field: 'labels.truth', value: '"img-7"' },
        message: expect.stringContaining(
          'more than 1000 labels that labels.classes does not list, such as "img-7"',
        ),
      },
    ]);
});

const PATTERN = { from: 'key', pattern: '([a-z]+)_x' } as const;

test.each([
  [
    PATTERN,
    { unlabelled: finding(4), labelled: 0 },
    [
      'labels.truth.pattern',
      '"([a-z]+)_x"',
      /^finds no label for any of 9 inputs; it was tried on a; b; c, so that the gate/,
    ],
  ],
  [
    { from: 'folder' } as const,
    { noClass: { count: 9, examples: ['"Cat" of a'] } },
    [
      'labels.truth',
      '"folder"',
      /^finds no class of labels\.classes for any of 9 inputs, but "Cat" of a, so that/,
    ],
  ],
])(
  'with a gate, labels that can give no verdict are refused before the run costs',
  (truth, defects, expected) => {
    const check = { ...RIGHT, ...defects };
    const { problems } = judgeLabels({ ...found, check, truth, isGated: true });
    expect(problems).toEqual([
      {
        file: 'job.json',
        field: expected[0],
        value: expected[1],
        message: expect.stringMatching(expected[2] as RegExp),
      },
    ]);
    expect(judgeLabels({ ...found, check, truth }).problems).toEqual([]);
    const some = { ...check, labelled: 9, unlabelled: finding(1), noClass: finding(1) };
    expect(judgeLabels({ ...found, check: some, truth, isGated: true }).problems).toEqual([]);
  },
);

test('without a gate the note names the pattern that finds nothing', () => {
  const check = { ...RIGHT, unlabelled: finding(3), labelled: 0 };
  expect(judgeLabels({ ...found, check, truth: PATTERN }).notes).toEqual([
    expect.stringContaining(
      'labels.truth ("([a-z]+)_x") finds no label for any of 9 inputs, such as a; b; c',
    ),
  ]);
});
