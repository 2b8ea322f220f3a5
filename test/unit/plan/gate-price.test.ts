import { expect, test } from 'vitest';
import { gatePriceNotes } from '../../../src/plan/judge/gate-price.ts';

const of = (classes: number, records: number) => Array.from({ length: classes }, () => records);
const KNOWN = { inputs: 10_000, labeled: 10_000, classes: of(100, 100) };
const notes = (gate: object, known: Partial<typeof KNOWN> | { labeled: undefined } = {}) =>
  gatePriceNotes({ minInputs: 30, minLabeled: null, confidence: 0.95, ...gate }, { ...KNOWN, ...known });

test('what a bound asks for is said before the run', () => {
  // Chances by scipy.stats.binom: 87 or more of 100 at 0.9 in 87.6 % of runs, 78 or more in 99.99 %.
  expect(notes({ minRecall: 0.8 })).toEqual([
    'gate.minRecall 0.8: a class of 100 records must have 87 right. A class that is right in 90% has them in 88% of ' +
      'runs, all 100 classes at once in 0.0002%. A floor of 0.7 would be proven in 99%',
  ]);
  expect(notes({ minAccuracy: 0.9, maxErrorRate: 0.01 }, { inputs: 1_000, labeled: 1_000 })).toEqual([
    'gate.minAccuracy 0.9: 916 of 1,000 labeled inputs must be right to prove it at 95% confidence',
    'gate.maxErrorRate 0.01: at most 4 of 1,000 inputs may have no answer to prove it at 95% confidence',
  ]);
});

test('the class of the comparison lies halfway between the floor and 1', () => {
  // Binomial tails: 99 or more of 100 at 0.975 in 28.3 % of runs, 4,000 of 4,000 at 0.9995 in 13.5 %.
  expect(notes({ minRecall: 0.95 }).join()).toContain(
    'have 99 right. A class that is right in 97.5% has them in 28% of runs',
  );
  expect(notes({ minRecall: 0.999 }, { labeled: 400_000, classes: of(100, 4_000) }).join()).toContain(
    'have 4,000 right. A class that is right in 99.95% has them in 14% of runs',
  );
});

test('a bound that so few inputs cannot prove is told as one', () => {
  expect(
    notes(
      { minAccuracy: 0.99, maxErrorRate: 0.01, minRecall: 0.8 },
      { inputs: 200, labeled: 200, classes: [10] },
    ),
  ).toEqual([
    "gate.minAccuracy 0.99 can't be proven at 95% confidence by 200 labeled inputs, not even if all are right: the gate can't pass",
    "gate.minRecall 0.8: a class of 10 records can't prove it, not even if all are right",
    "gate.maxErrorRate 0.01 can't be proven at 95% confidence by 200 inputs: no errors of so many prove at most " +
      "1.49%, so the gate can't pass",
  ]);
});

test('each class has its own number of records, and small ones are judged together', () => {
  // Binomial tails at 0.9: 28 or more of 30 in 41.1 % of runs, 87 or more of 100 in 87.6 %, of 20 and 10 together as of 30.
  expect(notes({ minRecall: 0.8 }, { classes: [100, 30, 20, 10] }).join()).toContain(
    'a class of 30 records must have 28 right. A class that is right in 90% has them in 41% of runs, all 3 classes at once in 15%',
  );
  expect(notes({ minRecall: 0.8 }, { classes: [100, 3] }).join()).toContain(
    'has them in 88% of runs. A floor of',
  );
});

test('nothing is said where nothing must be proven, or the labels are not known', () => {
  expect(notes({ minAccuracy: 0.9, confidence: null })).toEqual([]);
  expect(notes({ minAccuracy: 0.9, minRecall: 0.5 }, { labeled: undefined })).toEqual([]);
  expect(gatePriceNotes(null, KNOWN)).toEqual([]);
});
