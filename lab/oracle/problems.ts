import { ClassList } from '../../src/label/class-list.ts';
import { resolvePrediction } from '../../src/label/resolve-prediction.ts';
import { countOutcome } from '../../src/metric/count-outcome.ts';
import { metricsOf } from '../../src/metric/metrics.ts';
import { mergeStored, toStoredTally } from '../../src/metric/stored-tally.ts';
import { createTally, type Tally } from '../../src/metric/tally.ts';
import { readOutput } from '../../src/prediction/read-output.ts';
import { asAnswered } from '../../test/support/as-answered.ts';
import { normal, random } from '../../test/support/random.ts';
import { pairProblems } from './pair-problems.ts';

/** One random problem with the figures of this program, for lab/oracle/compare.py to check. */
interface Problem {
  readonly name: string;
  readonly classes: number;
  readonly offset: number;
  readonly truth: readonly number[];
  readonly predicted: readonly number[];
  readonly scores: readonly (readonly number[])[] | null;
  /** Answers of the model, if `labels` says what they mean; predictions and scores follow from them. */
  readonly answers?: readonly (number | readonly number[])[];
  readonly logits?: boolean;
  readonly threshold?: number | null;
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

/** Answers of one sigmoid, of one logit or of several, read as an output object is. */
function answered(
  name: string,
  seed: number,
  { classes, logits, threshold }: { classes: number; logits: boolean; threshold: number | null },
): Problem {
  const next = random(seed);
  const list = new ClassList(Array.from({ length: classes }, (_, at) => `class ${at}`));
  const reading = { classOffset: 0, scores: logits ? 'logits' : 'as-answered', threshold } as const;
  const tally = createTally(list, 0);
  const truth: number[] = [];
  const answers: (number | number[])[] = [];
  for (let record = 0; record < 400; record++) {
    const actual = Math.floor(next() * classes);
    const logit = (at: number): number => Math.fround(normal(next) * 3 + (at === actual ? 3 : 0));
    // Some are saturated, as a sigmoid in single precision is.
    const one = record % 50 === 0 ? (actual === 1 ? 40 : -120) : logit(1) - logit(0);
    const answer =
      classes > 2
        ? Array.from({ length: classes }, (_, at) => logit(at))
        : Math.fround(logits ? one : 1 / (1 + Math.exp(-one)));
    const written = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));
    const text = `{"predictions": [[${[answer].flat().map(written).join(', ')}]]}`;
    const shape = {
      scoreCount: classes,
      oneRecord: true,
      single: classes === 2 ? 'either' : 'class',
    } as const;
    const [prediction] = readOutput(Buffer.from(text), shape);
    const resolved = resolvePrediction(prediction!, list, reading);
    countOutcome(tally, { key: `k${record}`, recordIndex: 0, truth: actual, ...resolved });
    truth.push(actual);
    answers.push(answer);
  }
  const { errors: _errors, ...figures } = metricsOf(tally, [1, 2, 3, 5, 10]);
  const about = { name: `${name} #${seed}`, classes, offset: 0, truth, predicted: [], scores: [] };
  return { ...about, figures, answers, logits, threshold };
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
    const resolved = resolvePrediction(given, list, asAnswered(offset));
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
  // Some have only histograms, as runs with too many scores.
  if (next() < 0.3) merged.exactScores.merge(null);
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
  [{ ...base, name: 'a hundred classes', classes: 100, records: 1_500, skill: 5 }, 4],
  [{ ...base, name: 'a thousand classes', classes: 1_000, records: 1_500, skill: 6 }, 1],
];

for (const pairs of pairProblems(350)) process.stdout.write(`${JSON.stringify(pairs)}\n`);
let seed = 1;
for (const [kind, times] of kinds) {
  for (let time = 0; time < times; time++) {
    process.stdout.write(`${JSON.stringify(problem(kind, seed++))}\n`);
  }
}
const readings: readonly [string, Parameters<typeof answered>[2]][] = [
  ['one sigmoid', { classes: 2, logits: false, threshold: null }],
  ['one sigmoid and a threshold', { classes: 2, logits: false, threshold: 0.2 }],
  ['one logit', { classes: 2, logits: true, threshold: null }],
  ['one logit and a threshold', { classes: 2, logits: true, threshold: 0.9 }],
  ['logits', { classes: 7, logits: true, threshold: null }],
];
for (const [name, reading] of readings) {
  for (let time = 0; time < 20; time++)
    process.stdout.write(`${JSON.stringify(answered(name, seed++, reading))}\n`);
}
