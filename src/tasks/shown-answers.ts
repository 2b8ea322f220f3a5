import * as z from 'zod';
import { FilePlace } from '../input/file-place.ts';
import { nameDraw } from '../text/name-draw.ts';

/** Answers that a report shows. */
const SHOWN = 10;
/** Cap on the characters of each. */
const MAX_LENGTH = 2_000;

/** An answer that a report shows, as JSON; a long one is cut. */
export const ShownAnswer = z.object({ ...FilePlace.shape, answer: z.string() });
export type ShownAnswer = z.infer<typeof ShownAnswer>;

/** Some answers of a run or a shard, drawn by their records' names: the order of merging does not matter. */
export class ShownAnswers {
  #kept: (ShownAnswer & { readonly draw: number })[] = [];

  add({ key, recordIndex, line, id, answer }: ShownAnswer): void {
    const draw = nameDraw(key, recordIndex);
    const last = this.#kept.at(-1);
    if (this.#kept.length >= SHOWN && last !== undefined && draw >= last.draw) return;
    const cut = answer.length > MAX_LENGTH ? `${answer.slice(0, MAX_LENGTH)}…` : answer;
    this.#kept = [...this.#kept, { key, recordIndex, line, id, answer: cut, draw }]
      .toSorted((a, b) => a.draw - b.draw)
      .slice(0, SHOWN);
  }

  list(): ShownAnswer[] {
    return this.#kept.map(({ draw: _draw, ...shown }) => shown);
  }
}
