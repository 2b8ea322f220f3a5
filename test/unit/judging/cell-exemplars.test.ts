import { expect, test } from 'vitest';
import { CellExemplars } from '../../../src/judging/cell-exemplars.ts';
import { chosenExemplars } from '../../../src/report/chosen-exemplars.ts';
import { shuffled } from '../../support/shuffled.ts';

const NAMES = ['cat', 'dog', 'owl'];
const records = Array.from({ length: 60 }, (_, at) => ({
  key: `in/${at % 40}.csv`,
  recordIndex: Math.floor(at / 40),
  truth: NAMES[at % 3]!,
  predicted: NAMES[Math.floor(at / 3) % 3]!,
  confidence: at / 60,
  truthScore: null,
}));
const kept = (parts: readonly (typeof records)[], limit = 100) => {
  const all = new CellExemplars(limit);
  for (const part of parts) {
    const shard = new CellExemplars(limit);
    for (const record of part) shard.add(record);
    for (const record of shard.list()) all.add(record);
  }
  return all.list();
};

test('a cell keeps three records, whatever the shards and their order', () => {
  const whole = kept([records]);
  expect(whole).toHaveLength(27);
  for (const seed of [1, 2, 3]) {
    const mixed = shuffled(records, seed);
    expect(kept([mixed.slice(0, 7), mixed.slice(7, 31), mixed.slice(31)])).toEqual(whole);
  }
});

test('no more mistakes are kept than asked for, and right answers crowd none of them out', () => {
  const few = kept([records], 6);
  expect(few.map(({ truth, predicted }) => truth === predicted)).toEqual([
    ...Array.from({ length: 6 }, () => false),
    ...[true, true],
  ]);
});

test('confusions come before right answers, large cells first, one of each before a second', () => {
  const record = (key: string, truth: string, predicted: string) => ({
    key,
    recordIndex: 0,
    truth,
    predicted,
    confidence: null,
    truthScore: null,
  });
  const report = {
    classes: NAMES.map((name) => ({ name })) as never,
    confusion: [
      [0, 0, 90],
      [0, 1, 2],
      [1, 2, 5],
    ] as [number, number, number][],
  };
  const all = [
    record('a', 'cat', 'cat'),
    record('b', 'cat', 'dog'),
    record('c', 'dog', 'owl'),
    record('d', 'dog', 'owl'),
    record('e', 'cat', 'dog'),
  ];
  expect(
    chosenExemplars(report, all)
      .map(({ key }) => key)
      .join(''),
  ).toBe('cbade');
  const many = Array.from({ length: 400 }, (_, at) => record(`${at}`, `${at}`, 'x'));
  expect(chosenExemplars(report, many)).toHaveLength(300);
});
