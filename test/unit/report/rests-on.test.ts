import { describe, expect, test } from 'vitest';
import { Ledger } from '../../../src/judging/ledger.ts';
import { wrongTogether } from '../../../src/judging/neighbors.ts';
import { reportLedger } from '../../../src/report/judged-ledger.ts';
import { restsOn } from '../../../src/report/text/rests-on.ts';

const PLAIN = { clusters: null, confidence: 0.95, hidesCopies: false };

function ledgerOf(counts: {
  right?: number;
  missed?: number;
  unlabeled?: number;
  copies?: number;
  uncounted?: number;
  setAside?: number;
}) {
  const ledger = new Ledger();
  for (let at = 0; at < (counts.right ?? 0); at++) ledger.addAnswered(0, true);
  for (let at = 0; at < (counts.missed ?? 0); at++) ledger.addUnanswered(0);
  for (let at = 0; at < (counts.unlabeled ?? 0); at++) ledger.addAnswered(undefined, false);
  for (let at = 0; at < (counts.uncounted ?? 0); at++) ledger.addUnanswered('uncounted');
  for (const name of ['copies', 'setAside'] as const) {
    ledger.begin(name);
    for (let at = 0; at < (counts[name] ?? 0); at++) ledger.addAnswered(0, true);
  }
  return ledger;
}

test.each([
  [{ right: 6_000 }, '6,000 right of 6,000 labeled', '6,000 asked; all labeled and answered'],
  [
    { right: 3_600, missed: 2_400 },
    '3,600 right of 6,000 labeled',
    '6,000 asked; 2,400 without an answer, which is wrong',
  ],
  [{ right: 59, unlabeled: 5_941 }, '59 right of 59 labeled', '6,000 asked; 5,941 without a label'],
  [{ right: 1, copies: 39 }, '1 right of 1 labeled', '40 asked; 39 copies left out'],
  [{ right: 1, copies: 1 }, '1 right of 1 labeled', '2 asked; 1 copy left out'],
  [
    { right: 9, uncounted: 1, setAside: 3 },
    '9 right of 9 labeled',
    '9 asked; 3 trained on and left out; 1 lost file with an unknown number of records',
  ],
])('%j', (counts, value, note) => {
  expect(restsOn(reportLedger(ledgerOf(counts), PLAIN))).toEqual({ value, note });
});

test('nothing is said where nothing has a label', () => {
  expect(restsOn(reportLedger(ledgerOf({ unlabeled: 9 }), PLAIN))).toBeUndefined();
});

test('under a KMS key copies are not known', () => {
  expect(restsOn(reportLedger(ledgerOf({ right: 9 }), { ...PLAIN, hidesCopies: true }))?.note).toBe(
    '9 asked; copies not known',
  );
});

test('groups and what they are worth', () => {
  const ledger = new Ledger({ classes: false });
  for (let at = 0; at < 1_000; at++) ledger.addAnswered(0, at % 100 >= 10, Math.floor(at / 10));
  const found = reportLedger(ledger, { ...PLAIN, clusters: { noun: 'scene', by: [] } });
  expect(found.clusters).toMatchObject({ noun: 'scene', count: 100 });
  expect(restsOn(found)?.note).toMatch(
    /labeled and answered; about 100 scenes, worth \d+ independent of each other$/,
  );
});

describe('neighbors', () => {
  const drop = (isWrong: (at: number) => boolean) => {
    const ledger = new Ledger();
    for (let at = 0; at < 1_000; at++) ledger.addAnswered(0, !isWrong(at));
    return ledger;
  };

  test('that are wrong together are told', () => {
    expect(wrongTogether(drop((at) => at % 100 < 10))).toBeCloseTo(9.1, 0);
  });

  test.each<[string, (at: number) => boolean]>([
    ['spread evenly', (at) => at % 10 === 0],
    ['few', (at) => at < 5],
    ['none', () => false],
    ['all', () => true],
  ])('whose mistakes are %s are not', (_, isWrong) => {
    expect(wrongTogether(drop(isWrong))).toBeUndefined();
  });
});
