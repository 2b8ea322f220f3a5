import { expect, test } from 'vitest';
import { drawLabels, type DrawnLabels } from '../../support/drawn-labels.ts';
import { judgeDrawn } from '../../support/judge-drawn-labels.ts';

/** Files of each test; the oracle draws 20,000. */
const FILES = 1_000;
const SEED = 5_000_000;

const drawn = Array.from({ length: FILES }, (_, at) => drawLabels(SEED + at));
const open = drawn.filter(({ isHidden }) => !isHidden);

async function outcomes(files: readonly DrawnLabels[], isSet: boolean) {
  const found = { right: 0, refused: 0, told: 0, wrong: [] as string[] };
  for (const file of files) {
    // No setting reads names and places in one file.
    if (isSet && file.numbers === null) continue;
    const outcome = await judgeDrawn(file, isSet ? file.numbers : null);
    if (outcome === 'wrong') found.wrong.push(`${file.about}\n${file.text.slice(0, 200)}`);
    else found[outcome] += 1;
  }
  return found;
}

test('of drawn label files none is read as other classes in silence, with nothing set and with labels.numbers', async () => {
  const unset = await outcomes(open, false);
  expect(unset.wrong).toEqual([]);
  expect(unset.right).toBeGreaterThan(FILES / 4);
  expect((await outcomes(open, true)).wrong).toEqual([]);
});

test('of files in which each label is the name of another class, some are wrong in silence, and none with labels.numbers', async () => {
  const hidden = drawn.filter(({ isHidden }) => isHidden);
  const { wrong } = await outcomes(hidden, false);
  expect(wrong.length).toBeGreaterThan(0);
  expect(wrong.length).toBeLessThan(hidden.length / 2);
  expect((await outcomes(hidden, true)).wrong).toEqual([]);
});

test('with labels.numbers set, at most a tenth of the files that have one reading is refused', async () => {
  const readable = drawn.filter(({ isReadable }) => isReadable);
  const { refused } = await outcomes(readable, true);
  expect(refused / readable.length).toBeLessThan(0.1);
});
