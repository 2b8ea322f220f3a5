import { ClassList } from '../../label/class-list.ts';
import { createTally } from '../../metric/tally.ts';
import { type JsonValue, readJsonDocuments } from '../../prediction/json-documents.ts';
import { short } from '../../text/figures.ts';
import { parseJson } from '../../text/parse-json.ts';
import { differ, TOLERANCE } from '../agreement.ts';
import { ShownAnswers } from '../shown-answers.ts';
import type { JudgeAnswer, Task, TaskFold, TaskPlan, Truth } from '../task.ts';
import { readAnswers, wholeAnswers } from './read-answers.ts';

/** Cap on the characters of an answer in a sentence. */
const MAX_SHOWN = 80;

/** Any answer, which nobody judges: `"labels": null`. */
export const none: Task = {
  readable: 'can be read',
  fold: (plan) => new UnjudgedFold(plan),
  responses: (body, { shape }, input) =>
    wholeAnswers(body, shape.oneRecord).map((answer) => ({ input, answer: parseJson(answer) })),
  disagreement(batch, live, { shape }) {
    const [before = '', now = ''] = [batch, live].map((output) =>
      [...readAnswers(output, shape.oneRecord, '')].join('\n'),
    );
    if (before === now) return undefined;
    const distance = distanceOf(readJsonDocuments(before), readJsonDocuments(now));
    if (distance <= TOLERANCE) return undefined;
    return distance === Infinity
      ? `${now.slice(0, MAX_SHOWN)}, batch gave ${before.slice(0, MAX_SHOWN)}`
      : `numbers that differ from batch's by up to ${short(distance, 3)}`;
  },
};

/** Largest difference of the numbers in two answers; infinite if anything else differs. */
function distanceOf(one: JsonValue, other: JsonValue): number {
  if (typeof one === 'number' && typeof other === 'number') return differ(one, other);
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other ? 0 : Infinity;
  const names = Object.keys(one);
  if (Array.isArray(one) !== Array.isArray(other) || names.join('\n') !== Object.keys(other).join('\n'))
    return Infinity;
  const values = Object.values(other);
  return Object.values(one).reduce<number>(
    (most, value, at) => Math.max(most, distanceOf(value, values[at] ?? null)),
    0,
  );
}

/** Takes any answer, and says of none whether it is right. */
class UnjudgedFold implements TaskFold {
  readonly tally = createTally(new ClassList([]), 0);
  readonly #shown = new ShownAnswers();
  readonly #oneRecord: boolean;

  constructor({ shape }: Pick<TaskPlan, 'shape'>) {
    this.#oneRecord = shape.oneRecord;
  }

  *answers(output: Uint8Array, place: string): Generator<JudgeAnswer> {
    for (const answer of readAnswers(output, this.#oneRecord, place))
      yield (_label, record) => {
        this.tally.predicted++;
        this.#shown.add({ ...record, answer });
        return { truth: undefined, isRight: undefined, prediction: answer, score: null, topK: null };
      };
  }

  truthOf(label: string): Truth {
    throw new RangeError(`nothing is judged, so ${JSON.stringify(label)} is no label`);
  }

  shown(): readonly ReturnType<ShownAnswers['list']>[number][] {
    return this.#shown.list();
  }
}
