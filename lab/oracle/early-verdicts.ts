import { decideEarly, nextRound, type RoundQuestion } from '../../src/gate/early-gate.ts';
import { outcomeOf, prove } from '../../src/gate/proof.ts';
import { cellsFor, DRAW_CELLS } from '../../src/judging/draw.ts';
import type { AnswerCounts, DrawnBatches, PairCounts, PartCounts } from '../../src/judging/drawn-batches.ts';
import { effectiveCount, weighedClusters } from '../../src/judging/effective-count.ts';
import type { RightOf } from '../../src/judging/right-of.ts';
import { random } from '../../test/support/random.ts';

// `node lab/oracle/early-verdicts.ts [repetitions]`: how often a gate that is decided early contradicts the complete
// run, by the functions that a run uses, as tables of Markdown. Seeds are 1, 2, …; it fails if a row is contradicted in
// more than 1 %, or a model at the floor passes in more than is promised. The tables of 2,000 repetitions are in
// early-verdicts.md.

const repetitions = Number(process.argv[2] ?? 2_000);
const CONFIDENCE = 0.95;
const FIRST = 500;
const MIN_INPUTS = 30;
const FLOORS = { accuracy: 0.9, errors: 0.98, recall: 0.8, slice: 0.85, change: -0.01 };
/** Most contradictions of many, 1 % of them but for chance. */
const most = (share: number, of: number): number => share * of + 3.5 * Math.sqrt(share * of) + 1;

/** Inputs that are alike in all that bounds ask about. */
interface Kind {
  readonly answer: keyof AnswerCounts;
  readonly isOfClass: boolean;
  readonly isOfSlice: boolean;
  readonly pair: keyof PairCounts;
}
type Content = readonly (readonly [kind: Kind, inputs: number])[];
type Bounds = Parameters<typeof prove>[0];

const isLabeled = ({ answer }: Kind): boolean =>
  answer === 'right' || answer === 'wrong' || answer === 'unanswered';
const sumOf = (content: Content, has: (kind: Kind) => boolean): number =>
  content.reduce((sum, [kind, inputs]) => sum + (has(kind) ? inputs : 0), 0);

function boundsOf(content: Content): Bounds {
  const shareOf = (has: (kind: Kind) => boolean) => ({
    right: sumOf(content, (kind) => kind.answer === 'right' && has(kind)),
    count: sumOf(content, (kind) => isLabeled(kind) && has(kind)),
  });
  const common = { name: '', minInputs: MIN_INPUTS };
  const asked = sumOf(content, () => true);
  const pairs = (pair: keyof PairCounts): number =>
    sumOf(content, (kind) => isLabeled(kind) && kind.pair === pair);
  return [
    { ...common, kind: 'accuracy', floor: FLOORS.accuracy, count: shareOf(() => true) },
    {
      ...common,
      kind: 'change',
      floor: FLOORS.change,
      count: { gained: pairs('gained'), lost: pairs('lost'), count: sumOf(content, isLabeled) },
    },
    {
      ...common,
      kind: 'recall',
      name: 'class',
      floor: FLOORS.recall,
      count: shareOf(({ isOfClass }) => isOfClass),
    },
    {
      ...common,
      kind: 'slice',
      name: 'slice',
      floor: FLOORS.slice,
      count: shareOf(({ isOfSlice }) => isOfSlice),
    },
    {
      ...common,
      kind: 'errors',
      floor: FLOORS.errors,
      count: { right: asked - sumOf(content, ({ answer }) => answer === 'unanswered'), count: asked },
    },
  ];
}

const passes = (content: Content): boolean => outcomeOf(prove(boundsOf(content), CONFIDENCE)) === 'passed';

function questionOf(content: Content): RoundQuestion {
  const ofClass = sumOf(content, (kind) => isLabeled(kind) && kind.isOfClass);
  const part = { minInputs: MIN_INPUTS };
  return {
    minAccuracy: FLOORS.accuracy,
    maxAccuracyDrop: -FLOORS.change,
    maxErrorRate: 1 - FLOORS.errors,
    parts: [
      { ...part, kind: 'recall', name: 'class', floor: FLOORS.recall, of: ofClass },
      { ...part, kind: 'slice', name: 'slice', floor: FLOORS.slice, of: undefined },
    ],
    confidence: CONFIDENCE,
    minInputs: MIN_INPUTS,
    of: sumOf(content, () => true),
  };
}

/** Each cell's inputs by kind, drawn. */
function lottery(content: Content, next: () => number): number[][] {
  const cells = Array.from({ length: DRAW_CELLS }, () => content.map(() => 0));
  for (const [at, [, inputs]] of content.entries())
    for (let input = 0; input < inputs; input++) {
      const cell = cells[Math.floor(next() * DRAW_CELLS)];
      if (cell !== undefined) cell[at] = (cell[at] ?? 0) + 1;
    }
  return cells;
}

function batchesOf(content: Content, cells: readonly (readonly number[])[]): DrawnBatches {
  const answers: AnswerCounts[] = [];
  const pairs: PairCounts[] = [];
  const [ofClass, ofSlice]: [PartCounts[], PartCounts[]] = [[], []];
  for (const counts of cells) {
    const drawn: Content = content.map(([kind], at) => [kind, counts[at] ?? 0]);
    const all = sumOf(drawn, () => true);
    const answer = (is: keyof AnswerCounts): number => sumOf(drawn, (kind) => kind.answer === is);
    const pair = (is: keyof PairCounts): number =>
      sumOf(drawn, (kind) => isLabeled(kind) && kind.pair === is);
    const part = (has: (kind: Kind) => boolean): PartCounts => {
      const right = sumOf(drawn, (kind) => has(kind) && kind.answer === 'right');
      const wrong = sumOf(drawn, (kind) => has(kind) && isLabeled(kind)) - right;
      return { right, wrong, missing: 0, others: all - right - wrong };
    };
    answers.push({
      right: answer('right'),
      wrong: answer('wrong'),
      unanswered: answer('unanswered'),
      unlabeled: answer('unlabeled'),
      lost: 0,
      missing: 0,
    });
    const [gained, lost] = [pair('gained'), pair('lost')];
    const labeled = sumOf(drawn, isLabeled);
    pairs.push({ gained, lost, same: labeled - gained - lost, missing: all - labeled });
    ofClass.push(part(({ isOfClass }) => isOfClass));
    ofSlice.push(part(({ isOfSlice }) => isOfSlice));
  }
  return { answers, pairs, parts: [ofClass, ofSlice] };
}

function firstOf({ answers, pairs, parts }: DrawnBatches, cells: number): DrawnBatches {
  return {
    answers: answers.slice(0, cells),
    pairs: pairs.slice(0, cells),
    parts: parts.map((part) => part.slice(0, cells)),
  };
}

interface Outcome {
  readonly drawn: number;
  readonly verdict: 'passed' | 'failed' | undefined;
}

/** Draws rounds as a run does, until they decide. */
function decide(question: RoundQuestion, batchesUpTo: (cells: number) => DrawnBatches): Outcome {
  const { of } = question;
  for (let upTo = cellsFor(FIRST, of); upTo < DRAW_CELLS;) {
    const batches = batchesUpTo(upTo);
    const drawn = batches.answers.reduce(
      (sum, batch) => sum + Object.values(batch).reduce((all, times) => all + times, 0),
      0,
    );
    const decision = decideEarly(question, batches);
    if (decision.verdict !== undefined) return { drawn, verdict: decision.verdict };
    const wanted = nextRound(question, decision, { first: FIRST, drawn });
    upTo += cellsFor(wanted, of - drawn, DRAW_CELLS - upTo);
  }
  return { drawn: of, verdict: undefined };
}

interface Wanted {
  readonly accuracy?: number;
  readonly errors?: number;
  readonly recall?: number;
  readonly slice?: number;
  readonly change?: number;
  /** Share of the inputs that the class has. */
  readonly ofClass?: number;
}

/** A drop of this many inputs: 3 % have no label, 20 % are in the slice, and 6 % differ from the other run. */
function dropOf(of: number, wanted: Wanted): Content {
  const {
    accuracy = 0.96,
    errors = 0.005,
    recall = 0.95,
    slice = 0.96,
    change = 0.01,
    ofClass = 0.1,
  } = wanted;
  const content: [Kind, number][] = [];
  const put = (kind: Partial<Kind>, inputs: number): void => {
    const whole = { answer: 'right', isOfClass: false, isOfSlice: false, pair: 'same', ...kind } as const;
    if (inputs > 0) content.push([whole, inputs]);
  };
  const labeled = Math.round(of * 0.97);
  put({ answer: 'unlabeled' }, of - labeled);
  const rest = 0.8 - ofClass;
  const groups = [
    { isOfClass: true, isOfSlice: false, share: ofClass, right: recall },
    { isOfClass: false, isOfSlice: true, share: 0.2, right: slice },
    {
      isOfClass: false,
      isOfSlice: false,
      share: rest,
      right: (accuracy - ofClass * recall - 0.2 * slice) / rest,
    },
  ];
  for (const { share, right, ...of } of groups) {
    const count = Math.round(labeled * share);
    const good = Math.round(count * right);
    const unanswered = Math.min(count - good, Math.round(count * errors));
    const gained = Math.round((count * (0.06 + change)) / 2);
    const lost = Math.min(count - good, Math.round((count * (0.06 - change)) / 2));
    const lostUnanswered = Math.min(unanswered, lost);
    put({ ...of, pair: 'gained' }, Math.min(good, gained));
    put({ ...of }, good - Math.min(good, gained));
    put({ ...of, answer: 'unanswered', pair: 'lost' }, lostUnanswered);
    put({ ...of, answer: 'unanswered' }, unanswered - lostUnanswered);
    put({ ...of, answer: 'wrong', pair: 'lost' }, lost - lostUnanswered);
    put({ ...of, answer: 'wrong' }, count - good - unanswered - (lost - lostUnanswered));
  }
  return content;
}

/** Changes right inputs of a kind until the complete run just passes, or just does not. */
function toBorder(content: Content, from: Partial<Kind>, to: Partial<Kind>, isPassing: boolean): Content {
  const wanted: Kind = { answer: 'right', isOfClass: false, isOfSlice: false, pair: 'same', ...from };
  const at = content.findIndex(([kind]) =>
    Object.entries(wanted).every(([key, value]) => Reflect.get(kind, key) === value),
  );
  const [kind = wanted, inputs = 0] = content[at] ?? [];
  const moved = (by: number): Content => [...content.with(at, [kind, inputs - by]), [{ ...kind, ...to }, by]];
  if (at < 0 || !passes(content))
    throw new Error('the drop must pass, and have inputs of this kind, before it is moved to its border');
  let [low, high] = [0, inputs];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (passes(moved(middle))) low = middle;
    else high = middle;
  }
  return moved(isPassing ? low : high);
}

const share = (times: number, of: number): string => `${((100 * times) / of).toFixed(2)} %`;
const at = (sorted: readonly number[], quantile: number): string =>
  (sorted[Math.floor(quantile * (sorted.length - 1))] ?? 0).toLocaleString('en');
const failures: string[] = [];
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

function boundsTable(): void {
  const good = dropOf(10_000, {});
  const wrong = { answer: 'wrong' } as const;
  const borders: [string, Partial<Kind>, Partial<Kind>][] = [
    ['accuracy', {}, wrong],
    ['errors', {}, { answer: 'unanswered' }],
    ['recall', { isOfClass: true }, wrong],
    ['slice', { isOfSlice: true }, wrong],
    ['loss', { pair: 'gained' }, { pair: 'same' }],
  ];
  const rows: [string, Content][] = [
    ['all held with room', good],
    ['the same, 100,000 inputs', dropOf(100_000, {})],
    ...borders.flatMap(([name, from, to]): [string, Content][] => [
      [`${name} at its border`, toBorder(good, from, to, true)],
      [`${name} one input past it`, toBorder(good, from, to, false)],
    ]),
    [
      '38 % unanswered, the others 96 % right',
      dropOf(10_000, { accuracy: 0.6, errors: 0.38, recall: 0.6, slice: 0.6, change: -0.05 }),
    ],
    ['the class at 60 %, all else good', dropOf(10_000, { recall: 0.6 })],
    ['a class of 97, 95 % right', dropOf(10_000, { ofClass: 0.01 })],
    ['a class of 29, all right', dropOf(10_000, { ofClass: 0.003, recall: 1 })],
    ['3 points worse than the other run', dropOf(10_000, { change: -0.03 })],
  ];
  print(
    'Accuracy ≥ 0.9, errors ≤ 0.02, recall of a class (10 % of the inputs) ≥ 0.8, a slice (20 %) ≥ 0.85, loss ≤ 0.01, ' +
      `together; 10,000 inputs; ${repetitions} runs a row.\n\n` +
      '| drop | complete run | contradicted | decided early | inputs: median (90th percentile) |\n|---|---|---|---|---|',
  );
  for (const [name, content] of rows) {
    const isPassing = passes(content);
    const question = questionOf(content);
    const outcomes = Array.from({ length: repetitions }, (_, seed) => {
      const batches = batchesOf(content, lottery(content, random(seed + 1)));
      return decide(question, (upTo) => firstOf(batches, upTo));
    });
    const contradicted = outcomes.filter(
      ({ verdict }) => verdict !== undefined && (verdict === 'passed') !== isPassing,
    );
    if (contradicted.length > most(0.01, repetitions)) failures.push(`${name}: contradicted`);
    const drawn = outcomes.map((outcome) => outcome.drawn).sort((a, b) => a - b);
    const early = outcomes.filter(({ verdict }) => verdict !== undefined).length;
    print(
      `| ${name} | ${isPassing ? 'passes' : 'does not'} | ${share(contradicted.length, repetitions)} | ` +
        `${share(early, repetitions)} | ${at(drawn, 0.5)} (${at(drawn, 0.9)}) |`,
    );
  }
}

/** A drop with one answer per input, in a random order. */
function accuracyOf(rights: readonly (readonly [isRight: boolean, cluster: number])[], next: () => number) {
  const cells = Array.from({ length: DRAW_CELLS }, () => ({ right: 0, wrong: 0, clusters: [] as number[] }));
  for (const [isRight, cluster] of rights) {
    const cell = cells[Math.floor(next() * DRAW_CELLS)];
    if (cell === undefined) continue;
    cell[isRight ? 'right' : 'wrong']++;
    cell.clusters.push(cluster);
  }
  const batchesUpTo = (upTo: number, isClustered: boolean): DrawnBatches => {
    const drawn = cells.slice(0, upTo);
    const sizes = new Map<number, number>();
    if (isClustered)
      for (const cluster of drawn.flatMap(({ clusters }) => clusters))
        sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
    const worth = isClustered ? weighedClusters([...sizes.values()].map((count) => ({ count }))) : undefined;
    const none = { unanswered: 0, lost: 0, unlabeled: 0, missing: 0 };
    return {
      answers: drawn.map(({ right, wrong }) => ({ right, wrong, ...none })),
      pairs: [],
      parts: [],
      worth,
    };
  };
  return batchesUpTo;
}

const accuracyQuestion = (of: number): RoundQuestion => ({
  minAccuracy: FLOORS.accuracy,
  parts: [],
  confidence: CONFIDENCE,
  minInputs: MIN_INPUTS,
  of,
});

/** Whether the complete run proves the accuracy. */
function provesAccuracy(right: number, count: number, effective = count): boolean {
  const bound = { kind: 'accuracy', name: '', floor: FLOORS.accuracy, minInputs: MIN_INPUTS } as const;
  return outcomeOf(prove([{ ...bound, count: { right, count, effective } }], CONFIDENCE)) === 'passed';
}

function floorTable(): void {
  print(
    '\nModels of a known accuracy; the floor is 0.9.\n\n| inputs | true accuracy | complete run passes | early or at ' +
      'the end passes | decided early |\n|---|---|---|---|---|',
  );
  for (const inputs of [1_000, 5_000])
    for (const accuracy of [0.9, 0.91]) {
      const found = { complete: 0, passes: 0, early: 0 };
      for (let time = 0; time < repetitions; time++) {
        const next = random(time + 1);
        const rights = Array.from({ length: inputs }, (): [boolean, number] => [next() < accuracy, 0]);
        const right = rights.filter(([isRight]) => isRight).length;
        const batchesUpTo = accuracyOf(rights, next);
        const { verdict } = decide(accuracyQuestion(inputs), (upTo) => batchesUpTo(upTo, false));
        const isProven = provesAccuracy(right, inputs);
        if (isProven) found.complete++;
        if (verdict === undefined ? isProven : verdict === 'passed') found.passes++;
        if (verdict !== undefined) found.early++;
      }
      if (accuracy === FLOORS.accuracy && found.passes > most(1 - CONFIDENCE, repetitions))
        failures.push(`${inputs} inputs at the floor: pass`);
      print(
        `| ${inputs.toLocaleString('en')} | ${accuracy} | ${share(found.complete, repetitions)} | ` +
          `${share(found.passes, repetitions)} | ${share(found.early, repetitions)} |`,
      );
    }
}

/** Clusters of a drop: their sizes, and how much their records are alike. */
const SHAPES: readonly (readonly [name: string, sizes: readonly number[], alike: number])[] = [
  ['1,000 × 5, alike 0.5', Array.from({ length: 1_000 }, () => 5), 0.5],
  ['100 × 50, alike 0.3', Array.from({ length: 100 }, () => 50), 0.3],
  ['one of 2,500 and 2,500 × 1, alike 1', [2_500, ...Array.from({ length: 2_500 }, () => 1)], 1],
];

function clusterTable(): void {
  print(
    '\nAccuracy of inputs in groups, 5,000 a drop; the complete run proves it by its effective count.\n\n| groups | ' +
      'true accuracy | complete run passes | contradicted | the same without a word on groups | decided early ' +
      '|\n|---|---|---|---|---|---|',
  );
  for (const [name, sizes, alike] of SHAPES)
    for (const accuracy of [0.9, 0.92, 0.95]) {
      const found = { complete: 0, contradicted: 0, plain: 0, early: 0 };
      for (let time = 0; time < repetitions; time++) {
        const next = random(time + 1);
        // Two records of a cluster have one answer with the probability that both take the cluster's.
        const rights = sizes.flatMap((size, cluster) => {
          const common = next() < accuracy;
          return Array.from({ length: size }, (): [boolean, number] => [
            next() < Math.sqrt(alike) ? common : next() < accuracy,
            cluster,
          ]);
        });
        const sums: RightOf[] = sizes.map((count) => ({ right: 0, count }));
        const right = rights.filter(([isRight]) => isRight).length;
        for (const [isRight, cluster] of rights) {
          const sum = sums[cluster];
          if (isRight && sum !== undefined) sums[cluster] = { ...sum, right: sum.right + 1 };
        }
        const isPassing = provesAccuracy(right, rights.length, effectiveCount(sums, CONFIDENCE));
        const batchesUpTo = accuracyOf(rights, next);
        const verdictBy = (isClustered: boolean) =>
          decide(accuracyQuestion(rights.length), (upTo) => batchesUpTo(upTo, isClustered)).verdict;
        const [verdict, plain] = [verdictBy(true), verdictBy(false)];
        if (isPassing) found.complete++;
        if (verdict !== undefined) found.early++;
        if (verdict !== undefined && (verdict === 'passed') !== isPassing) found.contradicted++;
        if (plain !== undefined && (plain === 'passed') !== isPassing) found.plain++;
      }
      if (found.contradicted > most(0.01, repetitions)) failures.push(`${name} at ${accuracy}: contradicted`);
      const { complete, contradicted, plain, early } = found;
      const cells = [complete, contradicted, plain, early].map((times) => share(times, repetitions));
      print(`| ${name} | ${accuracy} | ${cells.join(' | ')} |`);
    }
}

boundsTable();
floorTable();
clusterTable();
for (const failure of failures) print(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
