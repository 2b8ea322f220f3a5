/**
 * Reads label files drawn by layout, spelling and class names against their truth: `judge-layouts.ts SEED COUNT`. See
 * test/support/drawn-labels.ts.
 */
import { drawLabels } from '../../../test/support/drawn-labels.ts';
import { judgeDrawn } from '../../../test/support/judge-drawn-labels.ts';

/** Share of the files with one reading that may be refused if `labels.numbers` is set. */
const MAX_REFUSED = 0.1;

const [seed = '1', count = '20000'] = process.argv.slice(2);
const outcomes = { right: 0, told: 0, refused: 0, wrong: 0 };
const failures: string[] = [];
let [hidden, readable, refused] = [0, 0, 0];
for (let file = 0; file < Number(count); file++) {
  const drawn = drawLabels(Number(seed) * 1_000_003 + file);
  const unset = await judgeDrawn(drawn, null);
  const set = drawn.numbers === null ? undefined : await judgeDrawn(drawn, drawn.numbers);
  if (drawn.isHidden && unset === 'wrong') hidden += 1;
  else outcomes[unset] += 1;
  if ((unset === 'wrong' && !drawn.isHidden) || set === 'wrong')
    failures.push(`${drawn.about}\n${drawn.text.slice(0, 200)}`);
  if (!drawn.isReadable || set === undefined) continue;
  readable += 1;
  if (set === 'refused') refused += 1;
}
const { right, told, refused: all, wrong } = outcomes;
const share = refused / Math.max(1, readable);
process.stdout.write(
  `label files by layout, nothing set: ${right} right, ${told} told, ${all} refused, ${wrong} wrong in silence; ` +
    `${hidden} in which each label is the name of another class are wrong; with labels.numbers ${refused} of ` +
    `${readable} with one reading are refused\n` +
    failures
      .slice(0, 10)
      .map((text) => `${text}\n`)
      .join(''),
);
process.exitCode = failures.length > 0 || share > MAX_REFUSED ? 1 : 0;
