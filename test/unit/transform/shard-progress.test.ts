import { expect, test } from 'vitest';
import {
  addPiece,
  afterDeath,
  beginShard,
  type ShardProgress,
  tryNext,
} from '../../../src/transform/shard-progress.ts';

const AT = new Date('2026-03-01T12:00:00.000Z');
const LATER = new Date('2026-03-01T12:00:10.000Z');

/** Works through a bundle with functions that die on some inputs; gives the ranges that were tried, and the inputs that are left. */
function work(inputs: number, deadly: ReadonlySet<number>) {
  const tried: string[] = [];
  const killers: number[] = [];
  let progress: ShardProgress = beginShard(inputs, 1769, AT);
  for (let next = tryNext(progress, AT); next !== undefined; next = tryNext(progress, AT)) {
    const [from, upTo] = next.trying;
    tried.push(`${from}-${upTo}`);
    const dies = [...deadly].some((input) => input >= from && input < upTo);
    if (!dies) {
      progress = addPiece(next, { range: [from, upTo], failed: [] }, 5);
      continue;
    }
    const found = afterDeath(next, LATER);
    progress = found.progress;
    if (found.killer === undefined) continue;
    const { place } = found.killer;
    killers.push(place);
    progress = addPiece(progress, { range: [place, place + 1], failed: [[place, 500]] }, 0);
  }
  return { tried, killers, progress };
}

test('a bundle on which no function dies is tried once, as a whole', () => {
  const { tried, progress } = work(8, new Set());
  expect(tried).toEqual(['0-8']);
  expect(progress).toMatchObject({
    pieces: [{ range: [0, 8], failed: [] }],
    pending: [],
    trying: null,
    ms: 5,
  });
});

test('an input on which functions die is found by halves, and costs no other input', () => {
  const { tried, killers, progress } = work(8, new Set([5]));
  expect(tried).toEqual(['0-8', '0-4', '4-8', '4-6', '4-5', '5-6', '6-8']);
  expect(killers).toEqual([5]);
  expect(progress.pieces.map(({ range }) => range)).toEqual([[0, 4], [4, 5], [5, 6], [6, 8]]); // prettier-ignore
  expect(progress.pieces.flatMap(({ failed }) => failed)).toEqual([[5, 500]]);
});

test('the time of functions that died is counted', () => {
  // Four died after ten seconds each, and three ranges took 5 ms.
  expect(work(8, new Set([5])).progress.ms).toBe(40_015);
});

test('several such inputs are found, wherever they lie', () => {
  for (const deadly of [[0], [999], [0, 999], [1, 2, 3], [500, 501]]) {
    const { tried, killers, progress } = work(1_000, new Set(deadly));
    expect(killers.toSorted((a, b) => a - b)).toEqual(deadly);
    // Retries of predict-shards.asl.yml.
    expect(tried.length - progress.pieces.length).toBeLessThan(40);
    let end = 0;
    for (const { range } of progress.pieces) {
      expect(range[0]).toBe(end);
      end = range[1];
    }
    expect(end).toBe(1_000);
  }
});

test('the rest of a range that time has cut off is tried next', () => {
  const begun = tryNext(beginShard(8, 1769, AT), AT)!;
  const cut = addPiece(begun, { range: [0, 3], failed: [] }, 5);
  expect(cut.pending).toEqual([[3, 8]]);
  expect(afterDeath(cut, LATER)).toEqual({ progress: cut, killer: undefined });
});

test('inputs of a function that had no more time are asked one by one before they are halved', () => {
  const late = new Date(AT.getTime() + 299_000);
  const once = afterDeath(tryNext(beginShard(8, 1769, AT), AT)!, late);
  expect(once).toMatchObject({ progress: { pending: [[0, 8]], alone: 8 }, killer: undefined });
  const twice = afterDeath(tryNext(once.progress, AT)!, late);
  expect(twice.progress.pending).toEqual([
    [0, 4],
    [4, 8],
  ]);
  const single = afterDeath(tryNext(beginShard(1, 1769, AT), AT)!, late);
  expect(single.killer).toEqual({ place: 0, isLate: true });
});
