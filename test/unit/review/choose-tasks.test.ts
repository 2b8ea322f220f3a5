import { expect, test } from 'vitest';
import { type Candidate, type Choice, TaskChooser } from '../../../src/review/choose-tasks.ts';

const NONE: Choice = { wrong: false, suspect: false, unsure: undefined, random: undefined, controls: false };
const record = (key: string, facts: Partial<Candidate> = {}): Candidate => ({
  key,
  recordIndex: 0,
  score: 0.9,
  wrong: false,
  right: false,
  suspect: false,
  ...facts,
});
const RECORDS = [
  record('a', { wrong: true, suspect: true, score: 0.8 }),
  record('b', { wrong: true, score: 0.7 }),
  record('c', { score: 0.4 }),
  record('d', { score: 0.5 }),
  record('e', { score: null }),
  record('f'),
];

function choose(choice: Partial<Choice>, records = RECORDS, run = 'p/d/000001'): string[] {
  const chooser = new TaskChooser(run, { ...NONE, ...choice });
  for (const one of records) chooser.add(one);
  return chooser.chosen().map(({ key }) => key);
}

test.each<[Partial<Choice>, string]>([
  [{ wrong: true }, 'ab'],
  [{ suspect: true }, 'a'],
  [{ unsure: 1 }, 'c'],
  [{ unsure: 9 }, 'abcdf'],
  [{ suspect: true, unsure: 2 }, 'acd'],
  [{ random: 99 }, 'abcdef'],
])('%j chooses %s', (choice, keys) => {
  expect(choose(choice).sort().join('')).toBe(keys);
});

test('a draw is the same for the same run, in every order of its records, and another for another run', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => record(`k${at}`));
  const drawn = choose({ random: 20 }, many);
  expect(new Set(drawn).size).toBe(20);
  expect(choose({ random: 20 }, many.toReversed())).toEqual(drawn);
  expect(choose({ random: 20 }, many, 'p/d/000002')).not.toEqual(drawn);
  // The first ten of twenty are the ten that a smaller draw has.
  expect(choose({ random: 10 }, many)).toEqual(drawn.slice(0, 10));
});

test('of many unsure records the least sure ones are chosen', () => {
  const many = Array.from({ length: 5_000 }, (_, at) =>
    record(`k${at}`, { score: ((at * 7) % 5_000) / 5_000 }),
  );
  const scores = new Map(many.map(({ key, score }) => [key, score]));
  expect(
    choose({ unsure: 3 }, many)
      .map((key) => scores.get(key))
      .sort(),
  ).toEqual([0, 0.0002, 0.0004]);
});

test('among the mistakes are as many right answers, drawn by the seed, and a first person’s changes', () => {
  const records = Array.from({ length: 1_000 }, (_, at) =>
    record(`k${at}`, { wrong: at % 20 === 0, right: at % 20 !== 0 }),
  );
  const isWrong = new Set(records.flatMap(({ key, wrong }) => (wrong ? [key] : [])));
  const chosen = choose({ wrong: true, controls: true }, records);
  expect(chosen).toHaveLength(100);
  expect(chosen.filter((key) => isWrong.has(key))).toHaveLength(50);
  // Right and wrong ones are mixed.
  expect(chosen.slice(0, 50).filter((key) => isWrong.has(key)).length).toBeLessThan(40);
  expect(choose({ wrong: true, controls: true }, records, 'another seed')).not.toEqual(chosen);
  const most = records.map((one, at) => ({ ...one, wrong: at % 2 === 0, right: at % 2 === 1 }));
  expect(choose({ wrong: true, controls: true }, most)).toHaveLength(900);
  const chooser = new TaskChooser('seed', { ...NONE, suspect: true, controls: true });
  for (const one of records) chooser.add(one);
  chooser.addSecond(record('second'));
  expect(chooser.chosen().map(({ key }) => key)).toContain('second');
  expect(chooser.chosen()).toHaveLength(2);
});
