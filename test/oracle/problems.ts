import { ClassList } from '../../src/label/class-list.ts';
import { resolvePrediction } from '../../src/label/resolve-prediction.ts';
import { countOutcome } from '../../src/metric/count-outcome.ts';
import { metricsOf } from '../../src/metric/metrics.ts';
import { mergeStored, toStoredTally } from '../../src/metric/stored-tally.ts';
import type { Tally } from '../../src/metric/tally.ts';
import { createTally } from '../../src/metric/tally.ts';
import { normal, random } from '../support/random.ts';
import { pairProblems } from './pair-problems.ts';

/** One random problem with the figures of this program, for test/oracle/compare.py to check. */
interface Problem {
  readonly name: string;
  readonly classes: number;
  readonly offset: number;
  readonly truth: readonly number[];
  readonly predicted: readonly number[];
  readonly scores: readonly (readonly number[])[] | null;
  readonly figures: unknown;
}

interface Kind {
  readonly name: string;
  readonly classes: number;
  readonly records: number;
  readonly ties: boolean;
  readonly missing: boolean;
  readonly offset: number;
  readonly scored: boolean;
  readonly skill: number;
}

function problem(kind: Kind, seed: number): Problem {
  const next = random(seed);
  const { classes, records, offset } = kind;
  const list = new ClassList(Array.from({ length: classes }, (_, at) => `class ${at}`));
  const shards: Tally[] = Array.from({ length: 1 + Math.floor(next() * 5) }, () => createTally(list, offset));
  const truth: number[] = [];
  const predicted: number[] = [];
  const scores: number[][] = [];
  const width = classes - offset;
  for (let record = 0; record < records; record++) {
    // Missing classes: only every third one ever occurs.
    const actual = kind.missing ? Math.floor((next() * classes) / 3) * 3 : Math.floor(next() * classes);
    let vector = Array.from({ length: width }, (_, at) =>
      Math.exp(normal(next) * 1.5 + (at + offset === actual ? kind.skill : 0)),
    );
    if (kind.ties) vector = vector.map((score) => Math.ceil(Math.min(score, 8)));
    const total = vector.reduce((sum, score) => sum + score, 0);
    vector = vector.map((score) => score / total);
    const given = kind.scored
      ? { scores: vector }
      : { label: (next() < 0.6 ? actual : Math.floor(next() * classes)) - offset };
    const resolved = resolvePrediction(given, list, offset);
    countOutcome(shards[record % shards.length]!, {
      key: `k${record}`,
      recordIndex: 0,
      truth: actual,
      ...resolved,
    });
    truth.push(actual);
    // The class before the first, `#-1`, is an id after the last here and -1 there.
    predicted.push(resolved.predicted < classes ? resolved.predicted : -1);
    scores.push(vector);
  }
  const merged = createTally(list, offset);
  for (const shard of shards) mergeStored(merged, toStoredTally(shard));
  const { errors: _errors, ...figures } = metricsOf(merged, [1, 2, 3, 5, 10]);
  return {
    name: `${kind.name} #${seed}`,
    classes,
    offset,
    truth,
    predicted,
    scores: kind.scored ? scores : null,
    figures,
  };
}

const base: Kind = {
  name: 'plain',
  classes: 10,
  records: 400,
  ties: false,
  missing: false,
  offset: 0,
  scored: true,
  skill: 3,
};
const kinds: readonly [Kind, number][] = [
  [base, 40],
  [{ ...base, name: 'two classes', classes: 2 }, 40],
  [{ ...base, name: 'ties', ties: true, skill: 2 }, 40],
  [{ ...base, name: 'missing classes', missing: true, classes: 12 }, 40],
  [{ ...base, name: 'background class', offset: -1, classes: 7 }, 40],
  [{ ...base, name: 'few records', records: 7 }, 40],
  [{ ...base, name: 'one record', records: 1 }, 5],
  [{ ...base, name: 'no probabilities', scored: false }, 40],
  [{ ...base, name: 'all right', skill: 60 }, 10],
  [{ ...base, name: 'hardly any skill', skill: 0.1, classes: 5 }, 20],
  [{ ...base, name: 'a hundred classes', classes: 100, records: 1_500, skill: 5 }, 10],
  [{ ...base, name: 'a thousand classes', classes: 1_000, records: 1_500, skill: 6 }, 3],
];

for (const pairs of pairProblems(350)) process.stdout.write(`${JSON.stringify(pairs)}\n`);
let seed = 1;
for (const [kind, times] of kinds) {
  for (let time = 0; time < times; time++) {
    process.stdout.write(`${JSON.stringify(problem(kind, seed++))}\n`);
  }
}
