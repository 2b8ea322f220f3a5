import { expect, test } from 'vitest';
import { countsOf, moreOften, phrasesIn, readAllowance, readRooms, textsOf } from '../../scripts/phrases.ts';
import { ROOT } from '../../scripts/weigh.ts';

test('no room has a phrase more often than phrases.json allows', () => {
  expect(
    moreOften(countsOf(readRooms(ROOT)), readAllowance().rooms),
    'npm run phrases -- --list ROOM shows the places',
  ).toEqual([]);
});

test.each([
  ['it belongs to the stack alone', 'X alone'],
  ['the file beside it', 'beside'],
  ['a run whose gate failed', 'whose'],
  ['as those of the model', 'that of'],
  ['by what it found', 'bare what'],
  ['the process ends', 'ends'],
  ['null where it has no model', 'where = if'],
  ['the rest is none', 'is none'],
  ['what IAM is asked', 'is asked'],
  ['it does, too', ', too'],
  ['in place of the image', 'in place of'],
  ['ten, of which one fails', 'of which'],
  ['it starts by itself', 'by itself'],
])('%s: %s', (text, phrase) => expect(phrasesIn(text).map((one) => one.phrase)).toEqual([phrase]));

test.each(['the place where it stands', 'undefined if there is none', 'a run ends', 'leave alone'])(
  'native: %s',
  (text) => expect(phrasesIn(text)).toEqual([]),
);

test('comments, and sentences in quotes apart from them, count for their room', () => {
  const text = "/** Whose. */\nconst beside = 'one';\nconst text = `a run ${whose} that ends alone`;\n";
  expect(textsOf('src/app/plan/a.ts', text)).toEqual([
    ['src/app/plan', expect.stringContaining('Whose.')],
    ['src/app/plan messages', '`a run X that ends alone`'],
  ]);
  expect(textsOf('docs/a.md', 'Words.\n```\ncode\n```\n')).toEqual([['docs', 'Words.\n\n']]);
  expect(textsOf('test/unit/a.test.ts', text)).toEqual([]);
});

test('a further occurrence, and one in a new room, are more often; fewer are not', () => {
  const allowed = { docs: { whose: 2 } };
  expect(moreOften({ docs: { whose: 2 } }, allowed)).toEqual([]);
  expect(moreOften({ docs: { whose: 1 } }, allowed)).toEqual([]);
  expect(moreOften({ docs: { whose: 3 }, web: { beside: 1 } }, allowed)).toHaveLength(2);
});
