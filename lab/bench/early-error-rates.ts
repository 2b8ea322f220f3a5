import type { Bound } from '../../src/gate/bound.ts';
import {
  type EarlyAnswer,
  earlyEnds,
  judgeEarly,
  neededShare,
  nextRound,
  type RoundQuestion,
} from '../../src/gate/early-gate.ts';
import { outcomeOf, prove } from '../../src/gate/proof.ts';
import { cellAnswers, cellPairs } from '../../src/judging/cell-counts.ts';
import { cellOf, cellsFor, DRAW_CELLS } from '../../src/judging/draw.ts';
import type { AnswerCounts, DrawnBatches, PairCounts } from '../../src/judging/drawn-batches.ts';
import { random } from '../../test/support/random.ts';

// `node lab/bench/early-error-rates.ts [repetitions]`: how often a gate that is decided early contradicts a complete run, whether the bounds
// after some round miss the figures of all, and how many inputs and rounds it takes, in tables of Markdown. By the functions that a run uses.

const repetitions = Number(process.argv[2] ?? 2_000);
const FIRST = 500;
const STRICT = { confidence: 0.95, minInputs: 30 };

/** Inputs of a drop with the same answer and the same judgement of two runs. */
type Content = readonly [answer: keyof AnswerCounts, pair: keyof PairCounts, inputs: number];

/** A drop of known content, and what is asked about it. */
interface Drop {
  readonly name: string;
  readonly gate: Pick<RoundQuestion, 'minAccuracy' | 'maxAccuracyDrop'>;
  readonly content: readonly Content[];
}

interface Outcome {
  readonly drawn: number;
  readonly rounds: number;
  readonly isWrong: boolean;
  readonly isOutside: boolean;
}

/** Puts each input of a drop into the cell that it is drawn in. */
function lottery({ content }: Drop, next: () => number): DrawnBatches {
  const [answers, pairs] = [cellAnswers(), cellPairs()];
  for (const [answer, pair, inputs] of content)
    for (let at = 0; at < inputs; at++) {
      const cell = cellOf(next());
      answers.add(cell, answer);
      pairs.add(cell, pair);
    }
  return { answers: answers.batches(), pairs: pairs.batches(), parts: [] };
}

const count = (content: readonly Content[], has: (answer: string, pair: string) => boolean): number =>
  content.reduce((sum, [answer, pair, inputs]) => sum + (has(answer, pair) ? inputs : 0), 0);

/** The figures of a whole drop, and whether the complete run passes. */
function truthOf({ content, gate }: Drop): { accuracy: number; change: number; passes: boolean } {
  const labelled = count(content, (answer) => answer !== 'missing');
  const right = count(content, (answer) => answer === 'right');
  const [gained, lost, both] = ['gained', 'lost', 'missing'].map((kind) =>
    count(content, (_, pair) => pair === kind),
  );
  const pairs = count(content, () => true) - (both ?? 0);
  const common = { name: '', minInputs: STRICT.minInputs };
  const bounds: Bound[] = [
    { ...common, kind: 'accuracy', floor: gate.minAccuracy ?? 0, count: { right, count: labelled } },
    {
      ...{ ...common, kind: 'change', floor: -(gate.maxAccuracyDrop ?? 1) },
      count: { gained: gained ?? 0, lost: lost ?? 0, count: pairs },
    },
  ];
  const asked = bounds.filter(
    ({ kind }) => (kind === 'accuracy' ? gate.minAccuracy : gate.maxAccuracyDrop) !== undefined,
  );
  const change = pairs === 0 ? 0 : ((gained ?? 0) - (lost ?? 0)) / pairs;
  return {
    accuracy: right / labelled,
    change,
    passes: outcomeOf(prove(asked, STRICT.confidence)) === 'passed',
  };
}

function decide(drop: Drop, seed: number): Outcome {
  const of = count(drop.content, () => true);
  const question = { ...STRICT, ...drop.gate, parts: [], of };
  const truth = truthOf(drop);
  const cells = lottery(drop, random(seed));
  let [upTo, rounds, isOutside] = [cellsFor(FIRST, of), 1, false];
  for (; upTo < DRAW_CELLS; rounds++) {
    const batches = { answers: cells.answers.slice(0, upTo), pairs: cells.pairs.slice(0, upTo), parts: [] };
    const drawn = batches.answers.reduce(
      (sum, batch) => sum + Object.values(batch).reduce((all, times) => all + times, 0),
      0,
    );
    const answer: EarlyAnswer = judgeEarly(question, batches);
    isOutside ||= isRefuted(question, truth, batches);
    if (answer.verdict !== undefined)
      return { drawn, rounds, isWrong: (answer.verdict === 'passed') !== truth.passes, isOutside };
    const wanted = nextRound(question, answer, { first: FIRST, drawn });
    upTo += cellsFor(wanted, of - drawn, DRAW_CELLS - upTo);
  }
  return { drawn: of, rounds, isWrong: false, isOutside };
}

/** Whether an end that is shown lies on the wrong side of the figure of all. */
function isRefuted(
  question: RoundQuestion,
  truth: { readonly accuracy: number; readonly change: number },
  batches: DrawnBatches,
): boolean {
  const { accuracy, change } = earlyEnds(question, batches);
  const misses = ({ low, high }: typeof accuracy, figure: number): boolean =>
    figure < low - 1e-9 || figure > high + 1e-9;
  return (
    (question.minAccuracy !== undefined && misses(accuracy, truth.accuracy)) ||
    (question.maxAccuracyDrop !== undefined && misses(change, truth.change))
  );
}

const GATE = { minAccuracy: 0.9 };
const judged = (right: number, wrong: number, missing = 0): Content[] => [
  ['right', 'missing', right],
  ['wrong', 'missing', wrong],
  ['missing', 'missing', missing],
];
const ofShare = (of: number, share: number): Drop => {
  const right = Math.round(of * share);
  return { name: `${of}, ${share} right`, gate: GATE, content: judged(right, of - right) };
};
/** A drop just below, or just at, what it needs to pass. */
const atBorder = (of: number, surplus: number): Drop => {
  const right = Math.ceil(of * neededShare(GATE.minAccuracy, STRICT.confidence, of)) + surplus;
  return { name: `${of}, ${surplus} of what it needs`, gate: GATE, content: judged(right, of - right) };
};
const withMissing = (of: number, share: number): Drop => {
  const right = Math.round(of * share * 0.96);
  const wrong = Math.round(of * (1 - share) * 0.92);
  const name = `${of}, missing answers, ${(right / (right + wrong)).toFixed(4)} of the others right`;
  return { name, gate: GATE, content: judged(right, wrong, of - right - wrong) };
};

/** Two runs that differ on 6 % of the inputs that both have; `surplus` more of them are gained. */
function pairs(
  of: number,
  change: number,
  {
    allowed = 0.01,
    shared = 1,
    surplus = 0,
    gate = {},
  }: Partial<Record<'allowed' | 'shared' | 'surplus', number>> & { gate?: object } = {},
): Drop {
  const both = Math.round(of * shared);
  const discordant = Math.round(both * 0.06);
  const gained = Math.round((discordant + change * both) / 2) + surplus;
  const right = Math.round((both - discordant) * 0.97);
  const share = shared === 1 ? '' : `, ${shared} of them shared`;
  return {
    name: `${of}${share}, change ${change}${surplus === 0 ? '' : ` less ${-surplus} inputs`}, loss of ${allowed} allowed${'minAccuracy' in gate ? ', and accuracy of 0.9' : ''}`,
    gate: { maxAccuracyDrop: allowed, ...gate },
    content: [
      ['right', 'gained', gained],
      ['wrong', 'lost', discordant - gained],
      ['right', 'same', right],
      ['wrong', 'same', both - discordant - right],
      ['right', 'missing', of - both],
    ],
  };
}

const drops = [100_000, 10_000, 2_000].flatMap((of) => [
  ...[0.8, 0.85, 0.88, 0.89, 0.91, 0.92, 0.95, 0.99].map((share) => ofShare(of, share)),
  atBorder(of, -1),
  atBorder(of, 0),
]);
drops.push(withMissing(10_000, 0.88), withMissing(10_000, 0.92));
const compared = [50_000, 5_000].flatMap((of) => [
  ...[0.01, 0, -0.01, -0.02, -0.03].map((change) => pairs(of, change)),
  pairs(of, -0.01, { surplus: -1 }),
]);
compared.push(
  ...[
    pairs(50_000, 0, { allowed: 0 }),
    pairs(50_000, 0, { allowed: 0.03 }),
    pairs(50_000, -0.05, { allowed: 0.03 }),
  ],
  ...[pairs(50_000, 0, { shared: 0.5 }), pairs(50_000, -0.02, { shared: 0.5 })],
  ...[0, -0.01, -0.02].map((change) => pairs(50_000, change, { gate: GATE })),
);

console.log(`Gate 0.90 at 95 %, a first round of ${FIRST}, ${repetitions} repetitions a row.\n`);
table(drops);
console.log(`\nAgainst another run that differs on 6 % of the inputs, at 95 %.\n`);
table(compared);

function table(rows: readonly Drop[]): void {
  console.log(
    '| drop | contradicts a complete run | bounds miss | decided early | inputs: median | 90th percentile | rounds: median |\n|---|---|---|---|---|---|---|',
  );
  for (const drop of rows) console.log(row(drop));
}

function row(drop: Drop): string {
  const results = Array.from({ length: repetitions }, (_, at) => decide(drop, at + 1));
  const of = count(drop.content, () => true);
  const inputs = results.map(({ drawn }) => drawn).sort((a, b) => a - b);
  const rounds = results.map((result) => result.rounds).sort((a, b) => a - b);
  const share = (has: (result: Outcome) => boolean): string =>
    `${((100 * results.filter(has).length) / repetitions).toFixed(2)} %`;
  const at = (sorted: readonly number[], quantile: number): number =>
    sorted[Math.floor(quantile * (repetitions - 1))] ?? 0;
  return `| ${drop.name} | ${share(({ isWrong }) => isWrong)} | ${share(({ isOutside }) => isOutside)} | ${share(({ drawn }) => drawn < of)} | ${at(inputs, 0.5)} | ${at(inputs, 0.9)} | ${at(rounds, 0.5)} |`;
}
