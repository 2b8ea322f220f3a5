import { ClassList } from '../../label/class-list.ts';
import { createTally } from '../../metric/tally.ts';
import { ShownAnswers } from '../shown-answers.ts';
import type { JudgeAnswer, TaskFold, TaskPlan, Truth } from '../task.ts';
import { readAnswers } from './read-answers.ts';

/** Takes any answer, and says of none whether it is right. */
export class UnjudgedFold implements TaskFold {
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
