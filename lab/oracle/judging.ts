import { evidenceOf } from '../../src/judging/bets.ts';
import { effectiveCount } from '../../src/judging/effective-count.ts';
import { judgeSlices } from '../../src/judging/judge-slices.ts';
import { LabelSums } from '../../src/judging/label-sums.ts';
import { sampledShare, weighedShare } from '../../src/judging/sampled-share.ts';
import { strataOfSample } from '../../src/judging/strata-of-sample.ts';
import {
  type ClassScore,
  type DoubtedRecord,
  normalizedMargin,
  suspicion,
} from '../../src/judging/suspect-label.ts';
import { ClassList } from '../../src/label/class-list.ts';
import { resolvePrediction } from '../../src/label/resolve-prediction.ts';
import { changeLower, changeTail } from '../../src/metric/change-bound.ts';
import { binomialTail, exactLower, exactUpper } from '../../src/metric/exact-bound.ts';
import { OutputError } from '../../src/prediction/output-error.ts';
import { topScores } from '../../src/prediction/top-scores.ts';
import { DimensionTally } from '../../src/slice/slice-tally.ts';
import { asAnswered } from '../../test/support/as-answered.ts';
import { normal, random } from '../../test/support/random.ts';

// Random problems of src/judging with the answers of this program, one a line, for lab/oracle/compare_judging.py to check.

type Kind = 'plain' | 'imbalanced' | 'ties' | 'absent' | 'few' | 'one class' | 'NaN' | 'many classes';
const BEST = 5;

function labelProblem(kind: Kind, seed: number): unknown {
  const next = random(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const classes = kind === 'many classes' ? 1_000 : 2 + below(40);
  const records = kind === 'few' ? 5 + below(35) : kind === 'many classes' ? 900 : 100 + below(600);
  const weights = Array.from({ length: classes }, (_, at) => {
    if (kind === 'one class') return at === 0 ? 1 : 0;
    if (kind === 'absent' && at % 3 === 1) return 0;
    return kind === 'imbalanced' ? next() ** 6 : 0.5 + next();
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const drawClass = (): number => {
    let left = next() * whole;
    return Math.max(
      0,
      weights.findIndex((weight) => (left -= weight) < 0),
    );
  };
  const skill = 1 + next() * 4;
  const sharpness = 0.5 + next() * 2.5;
  const flips = next() * 0.3;
  const list = new ClassList(Array.from({ length: classes }, (_, at) => `class ${at}`));
  const scores: (readonly (number | null)[])[] = [];
  const labels: number[] = [];
  const kept: { at: number; label: number; scores: ArrayLike<number> }[] = [];
  for (let at = 0; at < records; at++) {
    const truth = drawClass();
    const label = next() < flips ? drawClass() : truth;
    const raw = Array.from({ length: classes }, (_, index) =>
      Math.exp((normal(next) + (index === truth ? skill : 0)) * sharpness),
    );
    const sum = raw.reduce((total, score) => total + score, 0);
    const digits = 1e6;
    const row = raw.map((score) =>
      kind === 'ties'
        ? Math.floor((score / sum) * 8 + next()) / 8
        : Math.round((score / sum) * digits) / digits,
    );
    if (kind === 'NaN' && next() < 0.1) row[below(classes)] = Number.NaN;
    labels.push(label);
    scores.push(row.map((score) => (Number.isNaN(score) ? null : score)));
    try {
      const { scores: read } = resolvePrediction({ scores: row }, list, asAnswered());
      if (read !== undefined) kept.push({ at, label, scores: read });
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
    }
  }
  const shards = Array.from({ length: 7 }, () => new LabelSums());
  for (const { label, scores: read } of kept) shards[below(7)]?.add(label, read[label] ?? 0);
  const sums = new LabelSums();
  for (const shard of shards.sort(() => next() - 0.5)) sums.merge(shard.store());
  const thresholds = sums.thresholds(classes);
  const isSuspect = suspicion(thresholds);
  const suspects: number[] = [];
  const margins: number[] = [];
  let undecided = 0;
  for (const { at, label, scores: read } of kept) {
    const from = (count: number): DoubtedRecord => ({
      label,
      labelScore: read[label] ?? 0,
      best: topScores(read, count).map((index): ClassScore => [index, read[index] ?? 0]),
    });
    const five = from(BEST);
    const decided = isSuspect(five);
    if (decided === undefined) undecided++;
    if (decided ?? isSuspect(from(classes))) suspects.push(at);
    margins.push(normalizedMargin(five));
  }
  return {
    about: 'labels',
    name: `${kind} labels #${seed}`,
    classes,
    scores,
    labels,
    thresholds: [...thresholds],
    suspects,
    margins,
    undecided,
  };
}

function binomial(next: () => number, trials: number, share: number): number {
  let successes = 0;
  for (let trial = 0; trial < trials; trial++) if (next() < share) successes++;
  return successes;
}

function sliceProblem(seed: number): unknown {
  const next = random(seed);
  const mean = [5, 200, 3_000][Math.floor(next() * 3)] ?? 5;
  const quality = seed % 10 === 0 ? 1 : 0.7 + next() * 0.3;
  const slices = Array.from({ length: 1 + Math.floor(next() * 40) }, (_, at) => {
    const count = 1 + Math.floor(-Math.log(1 - next()) * mean);
    return { name: `${at}`, count, right: binomial(next, count, Math.min(1, quality + normal(next) * 0.03)) };
  });
  const all = {
    right: slices.reduce((sum, { right }) => sum + right, 0),
    count: slices.reduce((sum, { count }) => sum + count, 0),
  };
  return { about: 'slices', name: `slices #${seed}`, all, judged: judgeSlices(slices, all) };
}

/** Records by the value of a slice, with a class each: as the shards of a run count them, of a run of a sample and of its whole drop. */
type SumKind = 'plain' | 'ties' | 'empty' | 'one value' | 'all right' | 'many values' | 'whole drop';

function sumProblem(kind: SumKind, seed: number): unknown {
  const next = random(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const values = kind === 'many values' ? 1_000 : kind === 'one value' ? 1 : 2 + below(40);
  const classes = kind === 'many values' ? 1_000 : 1 + below(20);
  const records = kind === 'many values' ? 5_000 : 20 + below(800);
  const fraction = kind === 'whole drop' ? 1 : 0.02 + next() * 0.9;
  const counted = Array.from({ length: records }, () => {
    const value = kind === 'empty' && next() < 0.4 ? null : `v${below(values)}`;
    // Classes that no record has leave strata that are empty.
    const truth = below(classes) ** 2 % classes;
    const isRight =
      kind === 'all right' || (kind === 'ties' ? Number(value?.slice(1)) % 2 === 0 : next() < 0.85);
    return [value, truth, isRight] as const;
  });
  const shards = Array.from({ length: 5 }, () => new DimensionTally('site'));
  for (const [value, , isRight] of counted) shards[below(5)]?.add(value, isRight);
  const whole = new DimensionTally('site');
  for (const shard of shards.sort(() => next() - 0.5)) whole.merge(shard.store());
  const sums = whole.store();
  const correct = counted.filter(([, , isRight]) => isRight).length;
  const slices = sums.values.map(([name, right, count]) => ({ name, right, count }));
  const judged = judgeSlices(slices, { right: correct, count: records }, fraction);
  const byClass = Array.from({ length: classes }, (_, id) => {
    const own = counted.filter(([, truth]) => truth === id);
    return { id, support: own.length, correct: own.filter(([, , isRight]) => isRight).length };
  });
  // Some inputs of a class had no answer, so that fewer of it are judged than were drawn.
  const drawn = byClass
    .filter(({ support }) => support > 0)
    .map(({ id, support }) => {
      const inputs = support + below(3);
      return { label: `class ${id}`, inputs, of: Math.max(inputs, Math.round(inputs / fraction)) };
    });
  const [inputs, of] = [
    drawn.reduce((sum, each) => sum + each.inputs, 0),
    drawn.reduce((sum, each) => sum + each.of, 0),
  ];
  const qualities = byClass.map((each) => ({
    ...each,
    predicted: 0,
    precision: undefined,
    recall: undefined,
    recallInterval: undefined,
    f1: undefined,
  }));
  const strata = strataOfSample(
    { inputs, of, classes: drawn },
    { labeled: records, correct, classes: qualities },
    (label) => Number(label.slice('class '.length)),
  );
  return {
    about: 'sums',
    name: `${kind} sums #${seed}`,
    records: counted,
    sums,
    fraction,
    judged,
    drawn,
    share: sampledShare(strata)?.share,
  };
}

function betProblem(seed: number): unknown {
  const next = random(seed);
  const total = 1_000 + Math.floor(next() * 100_000);
  const gate = [0.8, 0.9, 0.95][seed % 3] ?? 0.8;
  const batches = Array.from({ length: 1 + Math.floor(next() * 5) }, () => {
    const drawn = Math.floor(next() * 200);
    const right = binomial(next, drawn, gate + (next() - 0.5) * 0.1);
    return [
      [1 - gate, right],
      [-gate, drawn - right],
      [0, Math.floor(next() * 4)],
    ] as const;
  });
  const question = { mean: 0, low: -gate, high: 1 - gate, total };
  return { about: 'bets', name: `bets #${seed}`, question, batches, evidence: evidenceOf(question, batches) };
}

function sampleProblem(seed: number): unknown {
  const next = random(seed);
  const strata = Array.from({ length: 1 + Math.floor(next() * 20) }, () => {
    const total = 1 + Math.floor(next() ** 2 * 2_000);
    const drawn = next() < 0.1 ? total : 1 + Math.floor(next() * Math.min(total, 200));
    return { total, drawn, right: binomial(next, drawn, 0.6 + next() * 0.4) };
  });
  return {
    about: 'samples',
    name: `samples #${seed}`,
    strata,
    sampled: sampledShare(strata),
    weighed: weighedShare(strata),
  };
}

/** Bounds of shares, of counts up to ten million and of effective ones, and of changes. */
function boundProblem(seed: number): unknown {
  const next = random(seed);
  const confidence = [0.5, 0.8, 0.9, 0.95, 0.99, 0.9999][seed % 6] ?? 0.5;
  const shares = Array.from({ length: 20 }, (_, at) => {
    const whole = Math.floor(10 ** (next() * 7));
    const rare = Math.min(whole, Math.floor(next() * 4));
    const quality = [0.001, 0.1, 0.5, 0.9, 0.99, 0.99999][at % 6] ?? 0.5;
    const some = Math.min(whole, Math.round(whole * Math.min(1, quality * (0.98 + next() * 0.04))));
    const worth = at % 4 === 3 ? 0.05 + next() * 0.95 : 1;
    const right = ([some, rare, whole - rare][at % 3] ?? some) * worth;
    const count = whole * worth;
    const floor = Math.min(1 - 1e-9, Math.max(1e-9, right / count + (normal(next) * 2) / Math.sqrt(count)));
    const ends = [exactLower(right, count, confidence), exactUpper(right, count, confidence)];
    return { right, count, floor, ends, tail: binomialTail(right, count, floor) };
  });
  const changes = Array.from({ length: 10 }, (_, at) => {
    const count = 1 + Math.floor(10 ** (0.5 + next() * 5.5));
    const differ = Math.floor(next() * count * ([0, 0.01, 0.1, 0.4][at % 4] ?? 0));
    const gained = Math.round(differ * next());
    const pairs = { gained, lost: differ - gained, count };
    const change = [0, -0.01, -0.05][at % 3] ?? 0;
    const mirrored = { gained: pairs.lost, lost: gained, count };
    const ends = [changeLower(pairs, confidence), -changeLower(mirrored, confidence)];
    return { ...pairs, change, ends, tail: changeTail(pairs, change) };
  });
  return { about: 'bounds', name: `bounds #${seed}`, confidence, shares, changes };
}

/** Clusters of many sizes and likenesses, and what their records are worth. */
function clusterProblem(seed: number): unknown {
  const next = random(seed);
  const confidence = [0.6, 0.8, 0.9, 0.95, 0.99][seed % 5] ?? 0.6;
  const most = 1 + Math.floor(next() * 40);
  const alike = next();
  const quality = 0.5 + next() * 0.49;
  const clusters = Array.from({ length: 3 + Math.floor(next() * 200) }, () => {
    const count = 1 + Math.floor(next() * most);
    const share = next() < alike ? (next() < quality ? 1 : 0) : quality;
    return { right: binomial(next, count, share), count };
  });
  return {
    about: 'clusters',
    name: `clusters #${seed}`,
    confidence,
    clusters,
    effective: effectiveCount(clusters, confidence),
  };
}

const KINDS: readonly [Kind, number][] = [
  ['plain', 40],
  ['imbalanced', 40],
  ['ties', 40],
  ['absent', 40],
  ['few', 40],
  ['one class', 10],
  ['NaN', 20],
  ['many classes', 2],
];

const SUM_KINDS: readonly [SumKind, number][] = [
  ['plain', 80],
  ['ties', 30],
  ['empty', 30],
  ['one value', 20],
  ['all right', 20],
  ['whole drop', 20],
  ['many values', 4],
];

let seed = 1;
const print = (problem: unknown): void => {
  process.stdout.write(`${JSON.stringify(problem)}\n`);
};
for (const [kind, times] of KINDS) for (let time = 0; time < times; time++) print(labelProblem(kind, seed++));
for (let time = 0; time < 200; time++) {
  print(sliceProblem(seed++));
  print(betProblem(seed++));
  print(sampleProblem(seed++));
  print(boundProblem(seed++));
  print(clusterProblem(seed++));
}
for (const [kind, times] of SUM_KINDS)
  for (let time = 0; time < times; time++) print(sumProblem(kind, seed++));
