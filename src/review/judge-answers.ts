import type { Candidate } from './choose-tasks.ts';
import type { ReviewAnswer } from './review-answer.ts';
import { taskId } from './review-task.ts';

/** A record of the run, as far as an answer about it is judged. */
type JudgedRecord = Pick<Candidate, 'key' | 'recordIndex'>;

/** An answer with its record. */
export interface JudgedAnswer<R extends JudgedRecord> {
  readonly record: R;
  readonly answer: ReviewAnswer;
}

/**
 * Meets the records of a run with answers about them, one after the other, and finds what is wrong with the answers: about records that
 * are not the run's, of classes that it does not have, two different ones of a person about a record.
 */
export class AnswerJudge<R extends JudgedRecord> {
  readonly #byId: ReadonlyMap<string, readonly ReviewAnswer[]>;
  readonly #classes: ReadonlySet<string>;
  readonly #run: string;
  readonly #judged: JudgedAnswer<R>[] = [];
  readonly #met = new Set<string>();

  constructor(run: string, classes: readonly string[], answers: readonly ReviewAnswer[]) {
    this.#run = run;
    this.#classes = new Set(classes);
    this.#byId = Map.groupBy(answers, ({ id }) => id);
  }

  meet(record: R): void {
    const id = taskId(record.key, record.recordIndex);
    const answers = this.#byId.get(id);
    if (answers === undefined) return;
    this.#met.add(id);
    for (const answer of answers) this.#judged.push({ record, answer });
  }

  /** Answers with their records, in the order of the run. */
  get judged(): readonly JudgedAnswer<R>[] {
    return this.#judged;
  }

  /** Mistakes of the answers, once all records were met. */
  problems(): readonly string[] {
    return [...this.#byId].flatMap(([id, answers]) => {
      const [first] = answers;
      if (first === undefined) return [];
      const unknown = answers.flatMap(({ label, place }) =>
        this.#classes.has(label) ? [] : [`${place}: ${JSON.stringify(label)} is not a class of ${this.#run}`],
      );
      const labels = Map.groupBy(answers, ({ by }) => by)
        .values()
        .map((own) => new Set(own.map(({ label }) => label)))
        .find(({ size }) => size > 1);
      return [
        ...(this.#met.has(id) ? [] : [`${first.place} is not a predicted input of ${this.#run}`]),
        ...unknown,
        ...(labels === undefined
          ? []
          : [
              `${first.place} has different answers: ${[...labels].map((one) => JSON.stringify(one)).join(', ')}`,
            ]),
      ];
    });
  }
}
