import { Bets, type DrawnValues, type MeanQuestion, verdictOf } from '../../src/judging/bets.ts';
import { random } from '../../test/support/random.ts';

// `node lab/bench/sequential-error-rates.ts [repetitions]`: how often sequential verdicts err, and how many inputs they take, in a table of
// Markdown. A drop of known content is drawn without replacement; the verdict is asked for after every 2 % more inputs.

const repetitions = Number(process.argv[2] ?? 2_000);
const ALPHA = 0.01;
const FIRST_LOOK = 100;
const GROWTH = 1.02;

/** How many inputs of the drop have each value. */
type Content = readonly (readonly [value: number, inputs: number])[];

interface Row {
  readonly name: string;
  readonly content: Content;
  readonly question: Omit<MeanQuestion, 'total'>;
}

function accuracyRow(name: string, total: number, right: number, gate = 0.9): Row {
  const content: Content = [
    [1 - gate, right],
    [-gate, total - right],
  ];
  return { name, content, question: { mean: 0, low: -gate, high: 1 - gate } };
}

/** A drop in which 4 % of the right answers and 8 % of the wrong ones are missing. */
function missingRow(total: number, accuracy: number, gate = 0.9): Row {
  const right = Math.round(total * accuracy * 0.96);
  const wrong = Math.round(total * (1 - accuracy) * 0.92);
  const content: Content = [
    [1 - gate, right],
    [-gate, wrong],
    [0, total - right - wrong],
  ];
  const name = `${total}, missing answers, ${(right / (right + wrong)).toFixed(4)} of the others right`;
  return { name, content, question: { mean: 0, low: -gate, high: 1 - gate } };
}

/** Two runs that differ on 6 % of the pairs. */
function pairedRow(total: number, change: number, allowed: number): Row {
  const discordant = Math.round(total * 0.06);
  const gained = Math.round((discordant + change * total) / 2);
  const content: Content = [
    [1, gained],
    [-1, discordant - gained],
    [0, total - discordant],
  ];
  return {
    name: `${total} pairs, change ${change}, loss of ${allowed} allowed`,
    content,
    question: { mean: -allowed, low: -1, high: 1 },
  };
}

/** Inputs until the verdict, and whether it is wrong; all inputs where none is reached. */
function decide({ content, question }: Row, seed: number): { drawn: number; wrong: boolean } {
  const next = random(seed);
  const left = content.map(([, inputs]) => inputs);
  const total = left.reduce((sum, inputs) => sum + inputs, 0);
  const mean = content.reduce((sum, [value, inputs]) => sum + value * inputs, 0) / total;
  const bets = new Bets({ ...question, total });
  let drawn = 0;
  for (let look = FIRST_LOOK; drawn < total; look = Math.min(total, Math.ceil(look * GROWTH))) {
    const taken = content.map(() => 0);
    for (; drawn < look; drawn++) {
      let place = next() * (total - drawn);
      let at = 0;
      while (at < left.length - 1 && place >= (left[at] ?? 0)) place -= left[at++] ?? 0;
      left[at] = (left[at] ?? 0) - 1;
      taken[at] = (taken[at] ?? 0) + 1;
    }
    bets.add(content.map(([value], at): DrawnValues[number] => [value, taken[at] ?? 0]));
    const verdict = verdictOf(bets.evidence, ALPHA);
    const isAbove = mean >= question.mean - 1e-12;
    if (verdict !== undefined) return { drawn, wrong: (verdict === 'above') !== isAbove };
  }
  return { drawn: total, wrong: false };
}

const shares = [0.8, 0.85, 0.88, 0.89, 0.895, 0.9, 0.905, 0.91, 0.92, 0.95, 0.99];
const rows = [
  ...[100_000, 20_000].flatMap((total) => [
    ...shares.map((share) => accuracyRow(`${total}, ${share} right`, total, Math.round(share * total))),
    accuracyRow(`${total}, one right answer too few`, total, 0.9 * total - 1),
  ]),
  missingRow(100_000, 0.88),
  missingRow(100_000, 0.92),
  ...[0, 0.01, -0.01, -0.02, -0.03].map((change) => pairedRow(50_000, change, 0.01)),
  pairedRow(50_000, 0, 0),
];

console.log(
  `Gate 0.90, alpha ${ALPHA}, a look after every 2 % more inputs, ${repetitions} repetitions a row.\n`,
);
console.log(
  '| drop | wrong verdicts | decided early | inputs: median | 90th percentile |\n|---|---|---|---|---|',
);
for (const row of rows) {
  const results = Array.from({ length: repetitions }, (_, at) => decide(row, at + 1));
  const inputs = results.map(({ drawn }) => drawn).sort((a, b) => a - b);
  const total = row.content.reduce((sum, [, count]) => sum + count, 0);
  const percent = (count: number): string => `${((100 * count) / repetitions).toFixed(2)} %`;
  const wrong = results.filter((result) => result.wrong).length;
  const early = inputs.filter((drawn) => drawn < total).length;
  const at = (quantile: number): number => inputs[Math.floor(quantile * (repetitions - 1))] ?? 0;
  console.log(`| ${row.name} | ${percent(wrong)} | ${percent(early)} | ${at(0.5)} | ${at(0.9)} |`);
}
