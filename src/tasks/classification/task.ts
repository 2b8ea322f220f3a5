import { ClassList } from '../../label/class-list.ts';
import { type DecidedReading, readingBy } from '../../label/reading.ts';
import { type ResolvedPrediction, resolvePrediction } from '../../label/resolve-prediction.ts';
import { countOutcome } from '../../metric/count-outcome.ts';
import { createTally, type Tally } from '../../metric/tally.ts';
import type { Prediction } from '../../prediction/prediction.ts';
import { eachPrediction, readOutput } from '../../prediction/read-output.ts';
import { topScores } from '../../prediction/top-scores.ts';
import { type ComparableAnswer, disagreement } from '../agreement.ts';
import type { LabeledInput } from '../response.ts';
import type { AnsweredRecord, JudgeAnswer, JudgedAnswer, Task, TaskFold, TaskPlan, Truth } from '../task.ts';

/** One class of `labels.classes` for each record. */
export const classification: Task = {
  readable: 'is a classification',
  fold: (plan) => new ClassificationFold(plan),
  responses: labeledInputs,
  disagreement(batch, live, plan) {
    const [before, now] = [batch, live].map((output) => comparable(output, plan));
    return before && now && disagreement(before, now);
  },
};

function comparable(output: Uint8Array, { labels, shape }: TaskPlan): ComparableAnswer | undefined {
  const [prediction] = readOutput(output, shape);
  return prediction && resolvePrediction(prediction, new ClassList(labels.classes), labels);
}

/** Takes answers that are classes, or scores of them: one is right if its class is the label's. */
class ClassificationFold implements TaskFold {
  readonly tally: Tally;
  readonly #plan: TaskPlan;
  readonly #classes: ClassList;
  readonly #reading: DecidedReading;
  /** Names of classes as JSON, by the index of their score. */
  readonly #quoted: string[] = [];

  constructor(plan: TaskPlan) {
    const { classes, classOffset, reading } = plan.labels;
    this.#plan = plan;
    this.#classes = new ClassList(classes);
    this.#reading = readingBy(classes, reading?.numbers ?? 'names');
    this.tally = createTally(this.#classes, classOffset, plan.objects);
  }

  *answers(output: Uint8Array): Generator<JudgeAnswer> {
    for (const prediction of eachPrediction(output, this.#plan.shape))
      yield (label, record) => this.#judge(prediction, label, record);
  }

  truthOf(label: string): Truth {
    const id = this.#classes.label(label, this.#reading);
    return { id, name: this.#nameOf(id) };
  }

  shown(): readonly [] {
    return [];
  }

  #judge(prediction: Prediction, label: string | undefined, record: AnsweredRecord): JudgedAnswer {
    const { labels } = this.#plan;
    const resolved = resolvePrediction(prediction, this.#classes, labels);
    const { predicted, score, scores } = resolved;
    const truth = label === undefined ? undefined : this.truthOf(label);
    countOutcome(this.tally, { ...resolved, ...record, truth: truth?.id });
    const name = this.#nameOf(predicted);
    return {
      truth,
      isRight: truth && truth.id === predicted,
      prediction: name,
      score: score ?? null,
      topK: scores === undefined ? null : this.#topNames(scores),
      ...(predicted >= this.#classes.listed && { unlisted: name }),
      ...(truth && { evidence: this.#evidence(resolved, truth) }),
    };
  }

  #evidence(prediction: ResolvedPrediction, { id }: Truth): NonNullable<JudgedAnswer['evidence']> {
    const { classOffset } = this.#plan.labels;
    return { prediction, truthIndex: id < this.#classes.listed ? id - classOffset : -1 };
  }

  #topNames(scores: ArrayLike<number>): string {
    const names: string[] = [];
    for (const index of topScores(scores, this.#plan.topK)) names.push(this.#quote(index));
    return `[${names.join(',')}]`;
  }

  #quote(index: number): string {
    const { classOffset } = this.#plan.labels;
    return (this.#quoted[index] ??= JSON.stringify(this.#nameOf(this.#classes.at(index + classOffset))));
  }

  #nameOf(id: number): string {
    return this.#classes.names[id] ?? `#${id}`;
  }
}

/** The classes that an answer names, with their names, by the same rules as a run's predictions. */
function labeledInputs(body: Uint8Array, plan: TaskPlan, input: string | null): LabeledInput[] {
  const classes = new ClassList(plan.labels.classes);
  return readOutput(body, plan.shape).map((prediction) => ({
    input,
    ...toLabeled(resolvePrediction(prediction, classes, plan.labels), classes, plan),
  }));
}

function toLabeled(
  { predicted, scores, score }: ResolvedPrediction,
  classes: ClassList,
  { labels, topK }: TaskPlan,
): Omit<LabeledInput, 'input'> {
  const ranked = (id: number, value: number | undefined) => ({
    label: classes.names[id] ?? `#${id}`,
    index: indexOf(id, classes),
    score: value !== undefined && Number.isFinite(value) ? value : null,
  });
  return {
    ...ranked(predicted, score),
    topK:
      scores === undefined
        ? []
        : topScores(scores, topK).map((place) =>
            ranked(classes.at(place + labels.classOffset), scores[place]),
          ),
  };
}

/** The model may name an index outside the list (`#17`), or an unlisted class. */
function indexOf(id: number, classes: ClassList): number | null {
  if (id < classes.listed) return id;
  const outside = /^#(-?\d+)$/.exec(classes.names[id] ?? '')?.[1];
  return outside === undefined ? null : Number(outside);
}
