import { expect, test } from 'vitest';
import type { Finding, LabelCheck } from '../../../src/label/label-check.ts';
import type { TalliedLabels } from '../../../src/label/label-tally.ts';
import { judgeLabels } from '../../../src/plan/judge/judge-labels.ts';

const finding = (count: number): Finding => ({ count, examples: ['a', 'b', 'c', 'd'].slice(0, count) });
const RIGHT: LabelCheck = {
  inputs: 9,
  isWhole: true,
  labeled: 9,
  noClass: finding(0),
  noInput: finding(0),
  conflicting: finding(0),
  unlabeled: finding(0),
};
const READING: TalliedLabels['reading'] = {
  numbers: 'names',
  hasNumbers: false,
  examples: [],
  counts: [],
};
const FILE = { from: 'file', path: 'labels.csv', column: null } as const;
const RECORD = { from: 'record', path: '$.label' } as const;
const found = {
  tooMany: undefined,
  reading: READING,
  again: 'inferdrop rerun p/d/000001',
  truth: FILE,
  strict: false,
  labelsFile: 'job.json',
  minInputs: undefined,
  minLabeled: null,
  isEarly: false,
  isOneRecord: true,
  copies: 0,
} as const;

test.each([
  [FILE, {}, []],
  [
    FILE,
    { unlabeled: finding(1) },
    [
      '1 of 9 inputs has no label, such as a: what has no label is predicted, and counts in no figure of quality',
    ],
  ],
  [
    RECORD,
    { unlabeled: finding(2), isWhole: false },
    [/^2 of 9 records have no label, of those looked at, such as a; b: /],
  ],
  [
    FILE,
    { unlabeled: finding(4), labeled: 0 },
    ['labels.csv finds no label for any of 9 inputs, such as a; b; c: without labels there is no accuracy'],
  ],
  [
    RECORD,
    { unlabeled: finding(1), inputs: 1, labeled: 0 },
    ['labels.truth finds no label for any of 1 record, such as a: without labels there is no accuracy'],
  ],
  [
    FILE,
    { noClass: finding(1), noInput: finding(1), conflicting: finding(1) },
    [
      '1 of the labels that labels.csv gives is not in labels.classes, such as a: each counts as a class of its own, ' +
        'which no prediction can be',
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
        file: 'job.json',
        field: 'labels.truth',
        value: '"img-7"',
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
    { unlabeled: finding(4), labeled: 0 },
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
    const { problems } = judgeLabels({ ...found, check, truth, minInputs: 1 });
    expect(problems).toEqual([
      {
        file: 'job.json',
        field: expected[0],
        value: expected[1],
        message: expect.stringMatching(expected[2] as RegExp),
      },
    ]);
    expect(judgeLabels({ ...found, check, truth }).problems).toEqual([]);
    const some = { ...check, labeled: 9, unlabeled: finding(1), noClass: finding(1) };
    expect(judgeLabels({ ...found, check: some, truth, minInputs: 1 }).problems).toEqual([]);
  },
);

test.each<[string, Partial<LabelCheck>, Partial<Parameters<typeof judgeLabels>[0]>, RegExp | undefined]>([
  [
    'fewer labels than the gate asks for',
    { inputs: 40, labeled: 12, unlabeled: finding(28) },
    { minInputs: 30, truth: PATTERN },
    /^finds a label for 12 of 40 inputs, and for none of a; b; c, and gate\.minInputs asks for 30, so that the gate could give no verdict: correct it, or lower/,
  ],
  [
    'fewer inputs than the gate asks for',
    { inputs: 20, labeled: 12, unlabeled: finding(8) },
    { minInputs: 30 },
    undefined,
  ],
  [
    'files with many records',
    { inputs: 40, labeled: 12, unlabeled: finding(28) },
    { minInputs: 30, isOneRecord: false },
    undefined,
  ],
  [
    'inputs that were not looked at',
    { inputs: 40, labeled: 12, unlabeled: finding(28), isWhole: false },
    { minInputs: 30 },
    undefined,
  ],
  [
    'a file of labels with other names',
    { inputs: 20, labeled: 1, unlabeled: finding(19), noInput: finding(4) },
    { minInputs: 30 },
    /^finds a label for 1 of 20 inputs, and for none of a; b; c, while 4 rows of labels\.csv name no file, such as a; b; c, so that .*: write each name in labels\.csv as the file has it below the drop/,
  ],
  [
    'the labels of a larger set',
    { inputs: 20, labeled: 20, noInput: finding(900) },
    { minInputs: 1 },
    undefined,
  ],
])('%s: refused where no verdict could come of it', (_what, defects, asked, message) => {
  const check = { ...RIGHT, ...defects };
  const { problems } = judgeLabels({ ...found, check, ...asked });
  expect(problems.map((problem) => problem.message)).toEqual(
    message === undefined ? [] : [expect.stringMatching(message)],
  );
  expect(judgeLabels({ ...found, check, ...asked, minInputs: undefined }).problems).toEqual([]);
});

test('without a gate the note names the pattern that finds nothing', () => {
  const check = { ...RIGHT, unlabeled: finding(3), labeled: 0 };
  expect(judgeLabels({ ...found, check, truth: PATTERN }).notes).toEqual([
    expect.stringContaining(
      'labels.truth ("([a-z]+)_x") finds no label for any of 9 inputs, such as a; b; c',
    ),
  ]);
});

const FEW = { ...RIGHT, inputs: 6_000, labeled: 59 };

test.each<[labeled: number, asked: object, note: string[]]>([
  [
    59,
    {},
    ['labels.csv labels 59 of 6,000 inputs, and gate.minLabeled asks for 90%: this run will have no verdict'],
  ],
  [5_399, {}, [expect.stringContaining('labels 5,399 of 6,000 inputs')]],
  [5_400, {}, []],
  [59, { minLabeled: null }, []],
  [5_391, { copies: 10 }, []],
  [5_390, { copies: 10 }, [expect.stringContaining('labels 5,390 of 6,000 inputs')]],
  [59, { isOneRecord: false }, []],
  [59, { isOneRecord: false, truth: RECORD, copies: 10 }, []],
  [59, { check: { ...FEW, isWhole: false } }, []],
])('with %d labels and %j the plan says whether there will be a verdict', (labeled, asked, note) => {
  const check = { ...FEW, labeled };
  expect(judgeLabels({ ...found, minLabeled: 0.9, check, ...asked })).toEqual({ problems: [], notes: note });
});

test.each([
  [59, 6_000, 1],
  [85, 100, 0],
  [60, 100, 1],
  [60, 100, 0, 30],
])(
  'a gate that rounds decide is refused where %d labels of %d are surely too few',
  (labeled, inputs, refused, copies = 0) => {
    const check = { ...RIGHT, inputs, labeled };
    const { problems } = judgeLabels({ ...found, minLabeled: 0.9, isEarly: true, check, copies });
    expect(problems).toHaveLength(refused);
    if (refused === 1)
      expect(problems[0]).toMatchObject({
        field: 'gate.decide',
        message: expect.stringContaining('gate.minLabeled asks for 90%'),
      });
  },
);

test('labels that fit two readings are refused with the classes of both, and the commands that settle it', () => {
  const reading = {
    kind: 'refused',
    refusal: 'are numbers ("1", "2") that fit both',
    offers: [
      { numbers: 'names', means: '1 is "1"' },
      { numbers: 'index', means: '1 is "2"' },
    ],
  } as const;
  expect(judgeLabels({ ...found, check: RIGHT, reading })).toMatchObject({
    problems: [
      {
        file: 'pipeline.json',
        field: 'labels.numbers',
        value: 'null',
        message:
          'must be "names" (1 is "1") or "index" (1 is "2"), is null: the labels of labels.csv are numbers ("1", "2") ' +
          'that fit both. Set it, then inferdrop rerun p/d/000001',
      },
    ],
  });
});

test('labels without any reading are refused where they come from', () => {
  const reading = { kind: 'refused', refusal: 'are numbers such as "17"', offers: [] } as const;
  expect(judgeLabels({ ...found, check: RIGHT, truth: { from: 'folder' }, reading }).problems).toEqual([
    {
      file: 'job.json',
      field: 'labels.truth',
      value: '"folder"',
      message: 'gives labels that are numbers such as "17"',
    },
  ]);
});
