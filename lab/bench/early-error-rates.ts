import { verdictOf } from '../../src/judging/bets.ts';
import { cellAnswers, cellPairs } from '../../src/judging/cell-counts.ts';
import { cellOf, cellsFor, DRAW_CELLS } from '../../src/judging/draw.ts';
import {
  type DrawnBatches,
  judgeRound,
  neededAccuracy,
  nextRound,
  type RoundQuestion,
} from '../../src/judging/judge-round.ts';
import {
  accuracyEvidence,
  type AnswerCounts,
  changeEvidence,
  type PairCounts,
} from '../../src/judging/sequential-accuracy.ts';
import { random } from '../../test/support/random.ts';

// `node lab/bench/early-error-rates.ts [repetitions]`: how often a gate that is decided early contradicts a complete run, whether the bounds
// after some round miss the figures of all, and how many inputs and rounds it takes, in tables of Markdown. By the functions that a run uses.

const repetitions = Number(process.argv[2] ?? 2_000);
const FIRST = 500;
const STRICT = { confidence: 0.95, minInputs: 30 };
const ALPHA = (1 - STRICT.confidence) / 2;

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
function lottery({ content }: Drop, next: () => number): Required<DrawnBatches> {
  const [answers, pairs] = [cellAnswers(), cellPairs()];
  for (const [answer, pair, inputs] of content)
    for (let at = 0; at < inputs; at++) {
      const cell = cellOf(next());
      answers.add(cell, answer);
      pairs.add(cell, pair);
    }
  return { answers: answers.batches(), pairs: pairs.batches() };
}

const count = (content: readonly Content[], has: (answer: string, pair: string) => boolean): number =>
  content.reduce((sum, [answer, pair, inputs]) => sum + (has(answer, pair) ? inputs : 0), 0);

/** The figures of a whole drop, and whether it passes. */
function truthOf({ content, gate }: Drop): { accuracy: number; change: number; passes: boolean } {
  const labelled = count(content, (answer) => answer !== 'missing');
  const accuracy = count(content, (answer) => answer === 'right') / labelled;
  const gained = count(content, (_, pair) => pair === 'gained');
  const lost = count(content, (_, pair) => pair === 'lost');
  const change = (gained - lost) / count(content, (_, pair) => pair !== 'missing');
  const { minAccuracy, maxAccuracyDrop } = gate;
  const isAccurate =
    minAccuracy === undefined || accuracy >= neededAccuracy(minAccuracy, STRICT.confidence, labelled);
  const keeps = maxAccuracyDrop === undefined || change >= -maxAccuracyDrop - 1e-12;
  return { accuracy, change, passes: isAccurate && keeps };
}

function decide(drop: Drop, seed: number): Outcome {
  const of = count(drop.content, () => true);
  const question = { ...STRICT, ...drop.gate, of };
  const truth = truthOf(drop);
  const cells = lottery(drop, random(seed));
  let [upTo, rounds, isOutside] = [cellsFor(FIRST, of), 1, false];
  for (; upTo < DRAW_CELLS; rounds++) {
    const answers = cells.answers.slice(0, upTo);
    const pairs = cells.pairs.slice(0, upTo);
    const drawn = answers.reduce((sum, { right, wrong, missing }) => sum + right + wrong + missing, 0);
    const answer = judgeRound(question, { answers, pairs });
    // The bounds are the same test inverted: they miss a truth that it refutes.
    isOutside ||= isRefuted(question, truth, { answers, pairs });
    if (answer.verdict !== undefined)
      return { drawn, rounds, isWrong: (answer.verdict === 'passed') !== truth.passes, isOutside };
    const wanted = nextRound(question, answer, { first: FIRST, drawn });
    upTo += cellsFor(wanted, of - drawn, DRAW_CELLS - upTo);
  }
  return { drawn: of, rounds, isWrong: false, isOutside };
}

function isRefuted(
  { minAccuracy, maxAccuracyDrop, of }: RoundQuestion,
  truth: { readonly accuracy: number; readonly change: number },
  { answers, pairs }: DrawnBatches,
): boolean {
  const accuracy =
    minAccuracy === undefined ? undefined : verdictOf(accuracyEvidence(truth.accuracy, of, answers), ALPHA);
  const change =
    maxAccuracyDrop === undefined ? undefined : verdictOf(changeEvidence(truth.change, of, pairs), ALPHA);
  return accuracy !== undefined || change !== undefined;
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
  const right = Math.ceil(of * neededAccuracy(GATE.minAccuracy, STRICT.confidence, of)) + surplus;
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
