import { expect, test } from 'vitest';
import { resolveClasses, truthProblems } from '../../../src/plan/judge/resolve-labels.ts';

const FILE = { file: 'classes.txt' };

test.each([
  ['\uFEFFcat\r\n dog \n\nbird', ['cat', 'dog', 'bird'], []],
  ['cat\ndog', ['cat', 'dog'], []],
  ['cat\nx\uFEFFy', ['cat', 'x\uFEFFy'], []],
  ['cat\n', ['cat'], ['must list at least 2 classes, one name on each line, has 1']],
  ['cat\ndog\ncat\n', ['cat', 'dog', 'cat'], ['must name each class once, "cat" stands there twice']],
])('the classes of the file %j', (text, classes, messages) => {
  const resolved = resolveClasses(FILE, text, 'job.json');
  expect(resolved.classes).toEqual(classes);
  expect(resolved.problems.map(({ message }) => message)).toEqual(messages);
  for (const { file, field } of resolved.problems) expect([file, field]).toEqual(['classes.txt', '']);
});

test.each([
  [FILE, 'labels.classes.file', '"classes.txt"', 'put classes.txt next to pipeline.json'],
  [['a', 'b', 'a'], 'labels.classes', '"a"', 'must name each class once'],
])('the classes %j are refused where they are written', (classes, field, value, message) => {
  expect(resolveClasses(classes, undefined, 'job.json')).toEqual({
    classes: Array.isArray(classes) ? classes : [],
    problems: [{ file: 'job.json', field, value, message: expect.stringContaining(message) }],
  });
});

test.each([
  [null, []],
  [{ from: 'folder' } as const, []],
  [{ from: 'file', path: 'labels.csv', column: null } as const, []],
  [{ from: 'file', path: 'labels.jsonl', column: null } as const, []],
  [
    { from: 'file', path: 'labels.CSV', column: null } as const,
    ['must be labels.csv or labels.jsonl, is "labels.CSV"'],
  ],
  [
    { from: 'file', path: 'my-labels.csv', column: null } as const,
    [
      'must be labels.csv or labels.jsonl, is "my-labels.csv": another file of the drop would be sent to the model',
    ],
  ],
  [{ from: 'file', path: 'labels.csv.gz', column: null } as const, [/^must be labels.csv or labels.jsonl/]],
  [{ from: 'key', pattern: '/([a-z]+)_' } as const, []],
  [{ from: 'key', pattern: `(${'a'.repeat(498)})` } as const, []],
  [{ from: 'key', pattern: `(${'a'.repeat(499)})` } as const, ['must have at most 500 characters, has 501']],
  [{ from: 'key', pattern: '(a' } as const, [/^must be an RE2 regular expression: .*missing closing \)/]],
  [
    { from: 'key', pattern: 'a+' } as const,
    ['must have a group around the class, as in "([a-z]+)\\\\.png$"'],
  ],
])('the truth %j is refused with %j', (truth, messages) => {
  expect(truthProblems(truth, 'job.json').map(({ file, field, message }) => [file, field, message])).toEqual(
    messages.map((message) => [
      'job.json',
      truth?.from === 'key' ? 'labels.truth.pattern' : 'labels.truth.path',
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]),
  );
});
