import { verdictOf } from '../../src/judging/bets.ts';
import { cellOf, cellsFor, DRAW_CELLS } from '../../src/judging/draw.ts';
import { judgeRound, neededAccuracy, nextRound } from '../../src/judging/judge-round.ts';
import { accuracyEvidence, type AnswerCounts } from '../../src/judging/sequential-accuracy.ts';
import { random } from '../../test/support/random.ts';

// `node lab/bench/early-error-rates.ts [repetitions]`: how often a gate that is decided early contradicts a complete run, whether the bounds
// after some round miss the accuracy of all, and how many inputs and rounds it takes, in a table of Markdown. By the functions that a run uses.

const repetitions = Number(process.argv[2] ?? 2_000);
const FIRST = 500;
const QUESTION = { minAccuracy: 0.9, confidence: 0.95, minInputs: 30 };

/** A drop of known content. */
interface Drop {
  readonly name: string;
  readonly right: number;
  readonly wrong: number;
  readonly missing: number;
}

interface Outcome {
  readonly drawn: number;
  readonly rounds: number;
  readonly isWrong: boolean;
  readonly isOutside: boolean;
}

/** Puts each answer of a drop into the cell that its input is drawn in. */
function lottery({ right, wrong, missing }: Drop, next: () => number): AnswerCounts[] {
  const cells = Array.from({ length: DRAW_CELLS }, () => ({ right: 0, wrong: 0, missing: 0 }));
  const fill = (answer: keyof AnswerCounts, count: number): void => {
    for (let at = 0; at < count; at++) {
      const cell = cells[cellOf(next())];
      if (cell !== undefined) cell[answer] += 1;
    }
  };
  fill('right', right);
  fill('wrong', wrong);
  fill('missing', missing);
  return cells;
}

const sizeOf = ({ right, wrong, missing }: AnswerCounts): number => right + wrong + missing;

function decide(drop: Drop, seed: number): Outcome {
  const of = sizeOf(drop);
  const question = { ...QUESTION, of };
  const labelled = drop.right + drop.wrong;
  const truth = drop.right / labelled;
  const passes = truth >= neededAccuracy(question.minAccuracy, question.confidence, labelled);
  const cells = lottery(drop, random(seed));
  let [upTo, rounds, isOutside] = [cellsFor(FIRST, of), 1, false];
  for (; upTo < DRAW_CELLS; rounds++) {
    const batches = cells.slice(0, upTo);
    const drawn = batches.reduce((sum, batch) => sum + sizeOf(batch), 0);
    const answer = judgeRound(question, batches);
    // The bounds are the same test inverted: they miss a truth that it refutes.
    isOutside ||=
      verdictOf(accuracyEvidence(truth, of, batches), (1 - question.confidence) / 2) !== undefined;
    if (answer.verdict !== undefined)
      return { drawn, rounds, isWrong: (answer.verdict === 'passed') !== passes, isOutside };
    const wanted = nextRound(question, answer, { first: FIRST, drawn });
    upTo += cellsFor(wanted, of - drawn, DRAW_CELLS - upTo);
  }
  return { drawn: of, rounds, isWrong: false, isOutside };
}

const ofShare = (of: number, share: number): Drop => {
  const right = Math.round(of * share);
  return { name: `${of}, ${share} right`, right, wrong: of - right, missing: 0 };
};
/** A drop just below, or just at, what it needs to pass. */
const atBorder = (of: number, surplus: number): Drop => {
  const right = Math.ceil(of * neededAccuracy(QUESTION.minAccuracy, QUESTION.confidence, of)) + surplus;
  return { name: `${of}, ${surplus} of what it needs`, right, wrong: of - right, missing: 0 };
};
const withMissing = (of: number, share: number): Drop => {
  const right = Math.round(of * share * 0.96);
  const wrong = Math.round(of * (1 - share) * 0.92);
  const name = `${of}, missing answers, ${(right / (right + wrong)).toFixed(4)} of the others right`;
  return { name, right, wrong, missing: of - right - wrong };
};

const drops = [100_000, 10_000, 2_000].flatMap((of) => [
  ...[0.8, 0.85, 0.88, 0.89, 0.91, 0.92, 0.95, 0.99].map((share) => ofShare(of, share)),
  atBorder(of, -1),
  atBorder(of, 0),
]);
drops.push(withMissing(10_000, 0.88), withMissing(10_000, 0.92));

console.log(`Gate 0.90 at 95 %, a first round of ${FIRST}, ${repetitions} repetitions a row.\n`);
console.log(
  '| drop | contradicts a complete run | bounds miss | decided early | inputs: median | 90th percentile | rounds: median |\n|---|---|---|---|---|---|---|',
);
for (const drop of drops) {
  const results = Array.from({ length: repetitions }, (_, at) => decide(drop, at + 1));
  const of = sizeOf(drop);
  const inputs = results.map(({ drawn }) => drawn).sort((a, b) => a - b);
  const rounds = results.map((result) => result.rounds).sort((a, b) => a - b);
  const share = (has: (result: Outcome) => boolean): string =>
    `${((100 * results.filter(has).length) / repetitions).toFixed(2)} %`;
  const at = (sorted: readonly number[], quantile: number): number =>
    sorted[Math.floor(quantile * (repetitions - 1))] ?? 0;
  console.log(
    `| ${drop.name} | ${share(({ isWrong }) => isWrong)} | ${share(({ isOutside }) => isOutside)} | ${share(({ drawn }) => drawn < of)} | ${at(inputs, 0.5)} | ${at(inputs, 0.9)} | ${at(rounds, 0.5)} |`,
  );
}
