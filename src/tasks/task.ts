import type { FilePlace } from '../input/file-place.ts';
import type { Member } from '../input/input.ts';
import type { Numbers } from '../label/label-check.ts';
import type { ResolvedPrediction, ScoreReading } from '../label/resolve-prediction.ts';
import type { Tally } from '../metric/tally.ts';
import type { OutputShape, SingleNumber } from '../prediction/prediction.ts';
import type { Problem } from '../problem/problem.ts';
import type { TaskResponse } from './response.ts';
import type { ShownAnswer } from './shown-answers.ts';

/** The facts of a plan by which answers are read and judged. */
export interface TaskPlan {
  readonly labels: ScoreReading & {
    readonly classes: readonly string[];
    readonly single: SingleNumber;
    /** How labels are read; null if there are none. */
    readonly reading?: { readonly numbers: Numbers } | null;
  };
  /** Classes that a row names, from the highest score on. */
  readonly topK: number;
  readonly shape: OutputShape;
  /** Inputs of the run, as far as known. */
  readonly objects?: number;
}

/** A record that an answer is about. */
export interface AnsweredRecord extends FilePlace {
  /** Where its bytes lie; undefined if the input is an object. */
  readonly member?: Member | undefined;
}

/** A label as the ledger counts it. */
export interface Truth {
  readonly id: number;
  readonly name: string;
}

/** An answer as its task judges it: all that ledger, gate, early verdict, slices and rows ask. */
export interface JudgedAnswer {
  /** Undefined if the record has no label. */
  readonly truth: Truth | undefined;
  /** Undefined if nothing says what would be right. */
  readonly isRight: boolean | undefined;
  /** The answer as a row has it: a class, or JSON. */
  readonly prediction: string;
  readonly score: number | null;
  /** Names of the best classes, best first, as a JSON list; null if there are none. */
  readonly topK: string | null;
  /** A class that `labels.classes` doesn't list. */
  readonly unlisted?: string | undefined;
  /** Scores for the search for wrong labels and for the examples of mistakes; only a labeled class has them. */
  readonly evidence?: {
    readonly prediction: ResolvedPrediction;
    /** Index of the truth's score, or negative if it has no score. */
    readonly truthIndex: number;
  };
}

/**
 * Judges the answer about a record, and counts it.
 *
 * @throws {OutputError} if this answer can't be read
 */
export type JudgeAnswer = (label: string | undefined, record: AnsweredRecord) => JudgedAnswer;

/** Takes the answers of a shard. */
export interface TaskFold {
  readonly tally: Tally;
  /**
   * The answers of an output, in the order of its records.
   *
   * @param place where the output lies, for answers that are too long for a row
   * @throws {OutputError} if it can't be read any further
   */
  answers(output: Uint8Array, place: string): Iterable<JudgeAnswer>;
  truthOf(label: string): Truth;
  /** Answers for the report; empty for a task with figures. */
  shown(): readonly ShownAnswer[];
}

/**
 * Problems of the settings of a file that a task doesn't take.
 *
 * @param valueOf the value of a field as it was written; undefined if it was left out
 */
export type RefuseSettings = (file: string, valueOf: (field: string) => unknown) => readonly Problem[];

/** A kind of answer, and the rule by which one is right. */
export interface Task {
  /** Words that end "none of the answers …". */
  readonly readable: string;
  fold(plan: TaskPlan): TaskFold;
  /**
   * The answer of an endpoint about an input, a response for each record.
   *
   * @throws {OutputError}
   */
  responses(body: Uint8Array, plan: TaskPlan, input: string | null): readonly TaskResponse[];
  /**
   * How an endpoint's answer differs from the one that batch transform gave about the same record; undefined if they agree.
   *
   * @throws {OutputError}
   */
  disagreement(batch: Uint8Array, live: Uint8Array, plan: TaskPlan): string | undefined;
}
