import { expect, test } from 'vitest';
import { judgeAnswers, passedOnNotes } from '../../../src/plan/judge/judge-answers.ts';

type Output = { readonly kind?: 'float' | 'integer'; readonly shape?: readonly number[] };

const LABELS = { task: 'classification', classOffset: 0, threshold: null, scores: 'as-answered' } as const;
const PAIR = ['cat', 'dog'];
const TEN = Array.from({ length: 10 }, (_, index) => `class ${index}`);
const judge = (
  outputs: Readonly<Record<string, Output>> | undefined,
  labels: Partial<Parameters<typeof judgeAnswers>[0]> = {},
  isPlain = true,
  classes: readonly string[] | null = null,
) =>
  judgeAnswers(
    { classes: PAIR, ...LABELS, ...labels },
    {
      signature: outputs && {
        name: 'serving_default',
        inputs: [],
        outputs: Object.entries(outputs).map(([name, { kind = 'float', shape }]) => ({ name, kind, shape })),
      },
      isPlain,
      answersOutputs: isPlain,
      classes,
    },
    'pipeline.json',
  );

test.each([[[-1, 1]], [[-1]], [[-1, 1, 1]], [[1, 1]]])('a signature of %s is one sigmoid', (shape) => {
  expect(judge({ dense: { shape } })).toEqual({
    single: 'score',
    problems: [],
    notes: [expect.stringContaining('read as the probability of "dog"')],
  });
});

test('a model without an axis of records is refused as that, and not as one that answers a number', () => {
  const [problem, ...more] = judge({ y: { shape: [10] } }, { classes: TEN }).problems;
  expect(more).toEqual([]);
  expect(problem?.message).toBe(
    'is judged by one row of scores a record, and the model\'s output "y" [10] has no axis of records: export it with ' +
      'a first axis of any size (None)',
  );
  expect(judge({ y: { shape: [10] } }, { classes: TEN }, false).problems).toEqual([]);
});

test.each([
  ['two scores', { y: { shape: [-1, 2] } }, true, 'class'],
  ['a class index', { y: { shape: [-1], kind: 'integer' } }, true, 'class'],
  ['a handler behind a sigmoid', { y: { shape: [-1, 1] } }, false, 'either'],
  ['several outputs', { a: { shape: [-1, 1] }, b: { shape: [-1, 1] } }, true, 'either'],
  ['an open shape', { y: { shape: [-1, -1] } }, true, 'either'],
  ['any rank', { y: {} }, true, 'either'],
  ['no dimension', { y: { shape: [] } }, true, 'either'],
  ['an empty dimension', { y: { shape: [-1, 0] } }, true, 'either'],
  ['a map', { y: { shape: [-1, 7, 7] } }, true, 'either'],
  ['no signature', undefined, true, 'either'],
] as const)('%s: a single number is a %s', (_, outputs, isPlain, single) => {
  expect(judge(outputs, {}, isPlain)).toEqual({ single, problems: [], notes: [] });
  expect(judge(outputs, { threshold: 0.3 }, isPlain)).toMatchObject({ single: 'score', problems: [] });
});

test('what a sigmoid answers is named as labels.scores says, with the threshold that counts', () => {
  const noteOf = (labels: Parameters<typeof judge>[1]) =>
    judge({ dense: { shape: [-1, 1] } }, labels).notes[0];
  expect(noteOf({ scores: 'logits', threshold: 0.3 })).toBe(
    'the model\'s signature serving_default answers one number a record (output "dense"): it is read as the logit of "dog", ' +
      'which is predicted above a probability of 0.3',
  );
  expect(noteOf({})).toMatch(/above a probability of 0\.5$/);
});

test('more than two classes have no single score', () => {
  expect(judge(undefined, { classes: TEN }).single).toBe('class');
  expect(judge(undefined, { classes: PAIR, classOffset: -1 }).single).toBe('class');
  expect(judge(undefined, { classes: ['cat'], classOffset: -1 }).single).toBe('class');
});

test('a number of scores that no record can have is refused', () => {
  const [problem] = judge({ dense: { shape: [-1, 1000] } }, { classes: TEN }).problems;
  expect(problem).toEqual({
    file: 'pipeline.json',
    field: 'labels.classes',
    value: '10',
    message:
      'lists 10 classes, and the model\'s signature serving_default answers 1000 scores a record (output "dense"): ' +
      "list one class for each score, in the model's order",
  });
  expect(judge({ y: { shape: [-1, 11] } }, { classes: TEN }).problems[0]?.message).toContain(
    'classOffset to -1',
  );
  expect(judge({ y: { shape: [-1, 11] } }, { classes: TEN, classOffset: -1 }).problems).toEqual([]);
  expect(judge({ y: { shape: [-1, 1] } }, { classes: TEN }).problems[0]?.message).toBe(
    'lists 10 classes, and the model\'s signature serving_default answers one number a record (output "y"): one number can tell two ' +
      'classes apart, so list two, or serve a model that answers a score for each class; if it predicts a number (a ' +
      'regression), set "labels" to null',
  );
  expect(judge({ y: { shape: [-1, 3] } }, { classes: PAIR, classOffset: -2 }).problems[0]?.message).toContain(
    'lists 2 classes (with labels.classOffset -2: 4 scores), and ',
  );
  // What a handler makes of it is not known.
  expect(judge({ y: { shape: [-1, 1000] } }, { classes: TEN }, false).problems).toEqual([]);
});

test('a threshold is for two classes', () => {
  const refused = (labels: Parameters<typeof judge>[1]) => judge(undefined, { threshold: 0.4, ...labels });
  expect(refused({ classes: TEN })).toEqual({
    single: 'class',
    notes: [],
    problems: [
      {
        file: 'pipeline.json',
        field: 'labels.threshold',
        value: '0.4',
        message: 'is for two classes, and labels has 10 classes: remove it',
      },
    ],
  });
  expect(refused({ classOffset: -1 }).problems[0]?.message).toContain(
    'labels has a classOffset of -1: remove',
  );
});

test.each([
  [
    [-1, 3],
    ['a', 'b'],
    false,
    [
      /^the model answers 3 scores a record \(output "y" of serving_default\), and labels\.classes lists 2 classes: every run fails unless code\/inference\.py makes 2 of them/,
    ],
  ],
  [[-1, 1], ['a', 'b', 'c'], false, [/^the model answers one number a record/]],
  [[-1, 1], ['a', 'b'], false, []],
  [[-1, 2], ['a', 'b'], false, []],
  [[-1, -1], ['a', 'b'], false, []],
  [[-1, 3], ['a', 'b'], true, []],
])('scores %j for classes %j behind a handler are noted (plain: %j)', (shape, classes, isPlain, notes) => {
  const signature = {
    name: 'serving_default',
    inputs: [],
    outputs: [{ name: 'y', kind: 'float', shape } as const],
  };
  expect(
    passedOnNotes(
      { task: 'classification', classes, classOffset: 0 },
      { signature, isPlain, answersOutputs: isPlain, classes: null },
    ),
  ).toEqual(notes.map((note) => expect.stringMatching(note)));
});

test.each([
  ['indices from 0', ['0', '1'], ['cat', 'dog'], true, undefined],
  ['the same names', ['cat', 'dog'], ['cat', 'dog'], true, undefined],
  ['the same names in another order', ['dog', 'cat'], ['cat', 'dog'], false, 'set it to ["dog","cat"]'],
  ['other names, which answers have', ['a', 'b'], ['cat', 'dog'], true, 'set it to ["a","b"]'],
  ['other names, which answers have not', ['a', 'b'], ['cat', 'dog'], false, undefined],
  ['numbers that are no indices, which answers have', ['1', '2'], ['1', '2'], true, undefined],
  ['numbers that are no indices, of classes with names', ['1', '2'], ['cat', 'dog'], true, undefined],
  ['numbers that are written otherwise', ['-1', '1'], ['-1.0', '01'], true, undefined],
  ['other numbers', ['1', '2'], ['0', '1'], true, 'set it to ["1","2"]'],
  ['other numbers, of scores alone', ['1', '2'], ['0', '1'], false, 'set it to ["1","2"]'],
  ['numbers in another order', ['1', '2'], ['2', '1'], false, 'set it to ["1","2"]'],
  ['numbers that are no indices, of scores alone', ['1', '2'], ['1', '2'], false, undefined],
  ['more of them', ['0', '1', '2'], ['cat', 'dog'], false, 'list 3, in the order of its scores'],
] as const)('a model whose own classes are %s: %j for %j', (_, own, classes, namesClass, message) => {
  const scores = { y: { shape: [-1, own.length] } };
  const outputs = namesClass ? { label: { kind: 'integer', shape: [-1] } as const, ...scores } : scores;
  const { problems } = judge(outputs, { classes }, true, own);
  expect(problems.map((problem) => problem.message)).toEqual(
    message === undefined ? [] : [expect.stringContaining(message)],
  );
});

test.each([
  [['1', '2'], ['1', '2'], [1, 2], '1 → "1", 2 → "2"'],
  [['1', '2'], ['cat', 'dog'], [1, 2], '1 → "cat", 2 → "dog"'],
  [['-1', '1'], ['cat', 'dog'], [-1, 1], '-1 → "cat", 1 → "dog"'],
  // A number could be a name of the list, too: the model's own list decides.
  [['0', '1'], ['1', '2'], [0, 1], '0 → "1", 1 → "2"'],
  [['0', '1'], ['cat', 'dog'], undefined, undefined],
  [['cat', 'dog'], ['cat', 'dog'], undefined, undefined],
] as const)(
  'the numbers of a model with the own classes %j are %j by its list, which is said',
  (own, classes, ids, note) => {
    const outputs = { label: { kind: 'integer', shape: [-1] }, y: { shape: [-1, 2] } } as const;
    const judged = judge(outputs, { classes }, true, own);
    expect([judged.problems, judged.ids]).toEqual([[], ids]);
    expect(judged.notes).toEqual(note === undefined ? [] : [expect.stringContaining(note)]);
  },
);

test('a model that answers nothing but numbers, which are names and other places, is refused before a job', () => {
  const outputs = { y: { kind: 'integer', shape: [-1] } } as const;
  expect(judge(outputs, { classes: ['1', '2', '3'] }).problems[0]).toMatchObject({
    field: 'labels.classes',
    message: expect.stringMatching(
      /^has numbers both as names and as other places.*labels\.numbers.*classOffset -1/,
    ),
  });
  expect(judge(outputs, { classes: ['0', '1', '2'] }).problems).toEqual([]);
  expect(judge(outputs, { classes: ['10', '20', '30'] }).problems).toEqual([]);
  expect(judge({ ...outputs, p: { shape: [-1, 3] } }, { classes: ['1', '2', '3'] }).problems).toEqual([]);
});
