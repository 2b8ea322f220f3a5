import { failedPlaceOf, type FilePlace, placeOf } from '../../input/file-place.ts';
import { CellExemplars } from '../../judging/cell-exemplars.ts';
import { clusterBucket } from '../../judging/cluster-sums.ts';
import type { AnswerCounts } from '../../judging/drawn-batches.ts';
import { Ledger } from '../../judging/ledger.ts';
import { countError, NOT_ASKED } from '../../metric/count-outcome.ts';
import { toStoredTally } from '../../metric/stored-tally.ts';
import { outputShape, taskPlan } from '../../plan/output-shape.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { OutputError } from '../../prediction/output-error.ts';
import type { OutputShape } from '../../prediction/prediction.ts';
import type { ReportFailure } from '../../report/report.ts';
import { type PredictionRow, PredictionRows } from '../../report/table/prediction-rows.ts';
import { clusterName } from '../../slice/cluster-of.ts';
import type { SliceTally } from '../../slice/slice-tally.ts';
import { type ImageFacts, type SliceValues, sliceValues } from '../../slice/slice-values.ts';
import type { JudgeAnswer, JudgedAnswer, Task, TaskFold, Truth } from '../../tasks/task.ts';
import { TASKS } from '../../tasks/tasks.ts';
import { opensFiles } from '../../transform/one-record.ts';
import type { ShardEntry } from '../records/reconciled.ts';
import type { ShardTally } from '../records/scoring.ts';
import type { Counts } from '../records/set-aside.ts';
import type { FoldedRow } from './compare-shard.ts';
import { DrawnAnswers } from './drawn-answers.ts';
import { LabelEvidence } from './label-evidence.ts';
import type { OpenedTruth } from './open-truth.ts';
import { sliceTally } from './slice-tally-of.ts';

/** Exemplars of a shard: with thousands of shards, more would be the most that WriteReport reads. */
const MAX_EXEMPLARS = 300;

interface ShardResult {
  readonly stored: Omit<ShardTally, 'dependence'>;
  readonly parquet: Uint8Array;
  /** Lines of the shard's mistakes. */
  readonly mistakes: Uint8Array;
  /** Empty if no other run is compared. */
  readonly rows: readonly FoldedRow[];
}

/** Takes the outputs of one shard, one after the other. */
export class ShardFold {
  readonly #plan: ScoringPlan;
  readonly #truth: OpenedTruth;
  readonly #task: TaskFold;
  readonly #ledger: Ledger;
  readonly #counts: Counts | undefined;
  readonly #shape: OutputShape;
  readonly #failures: ReportFailure[] = [];
  readonly #file: PredictionRows;
  readonly #rows: FoldedRow[] = [];
  readonly #labels = new LabelEvidence();
  readonly #exemplars = new CellExemplars(MAX_EXEMPLARS);
  readonly #valuesOf: SliceValues;
  readonly #slices: SliceTally | undefined;
  /** Undefined if the run has no rounds. */
  readonly #draws: DrawnAnswers | undefined;
  #image: ImageFacts | undefined;
  /** Values of the record at hand by dimension. */
  #values: readonly (string | null)[] = [];
  /** Bucket of its cluster; undefined if the run has no clusters. */
  #cluster: number | undefined;
  /** Whether the gate judges by the input at hand. */
  #isCounted = true;

  /** @param counts undefined if every input counts for the gate */
  constructor(
    plan: ScoringPlan,
    truth: OpenedTruth,
    counts?: Counts,
    task: Pick<Task, 'fold'> = TASKS[plan.labels.task],
  ) {
    this.#plan = plan;
    this.#truth = truth;
    this.#task = task.fold(taskPlan(plan));
    this.#counts = counts;
    this.#shape = outputShape(plan);
    this.#file = new PredictionRows(plan.report.slices.map(({ name }) => name));
    const { slices, clusters } = plan.report;
    this.#valuesOf = sliceValues(
      [...slices, ...(clusters?.by ?? [])],
      plan.input.prefix,
      opensFiles(plan.transform),
    );
    this.#ledger = new Ledger(
      clusters === null ? undefined : { classes: plan.gate?.minRecall !== undefined },
    );
    this.#slices = sliceTally(plan);
    const { rounds } = plan;
    this.#draws = rounds === null ? undefined : new DrawnAnswers({ ...plan, rounds });
  }

  /**
   * @param output undefined if there is none
   * @param image undefined if no dimension needs it, or the input isn't one
   */
  add(entry: ShardEntry, output: Uint8Array | undefined, image?: ImageFacts): void {
    this.#image = image;
    const leftOut = this.#counts?.(entry) === false ? 'setAside' : entry.copy && 'copies';
    this.#isCounted = leftOut === undefined;
    this.#ledger.begin(leftOut);
    this.#task.tally.inputs++;
    let recordIndex = 0;
    if (output === undefined) {
      const { error = 'output-missing', detail = `${entry.output ?? 'the output'} is not there` } = entry;
      this.#failFrom(entry, recordIndex, error, detail);
      return;
    }
    try {
      for (const judge of this.#task.answers(output, entry.output ?? ''))
        this.#addRecord(entry, recordIndex++, judge);
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      this.#failFrom(entry, recordIndex, error.reason, error.message);
      return;
    }
    if (this.#placesFrom(entry, recordIndex)?.length)
      this.#failFrom(entry, recordIndex, 'output-missing', `the output stops after ${recordIndex} records`);
  }

  finish(shard: number): ShardResult {
    const labels = this.#labels.finish();
    return {
      stored: {
        schema: 1,
        shard,
        tally: toStoredTally(this.#task.tally),
        ledger: this.#ledger.store(),
        failures: this.#failures,
        exemplars: this.#exemplars.list(),
        answers: [...this.#task.shown()],
        labels: labels.stored,
        ...(this.#slices && { slices: this.#slices.storePart() }),
        ...this.#draws?.store(),
      },
      parquet: this.#file.finish(),
      mistakes: labels.lines,
      rows: this.#rows,
    };
  }

  #addRecord(entry: ShardEntry, recordIndex: number, judge: JudgeAnswer): void {
    const label = this.#truth.lookUp(entry, recordIndex);
    this.#takeValues(entry, recordIndex);
    const place = placeOf(entry, recordIndex);
    try {
      const answer = judge(label, { ...place, member: entry.member });
      const { truth, isRight = false, prediction, score, topK } = answer;
      this.#ledger.addAnswered(truth?.id, isRight, this.#cluster);
      if (truth === undefined) this.#addDrawn(entry.name, 'unlabeled');
      else this.#addLabeled(entry, place, answer, truth);
      const correct = truth === undefined ? null : isRight;
      this.#addRow({ ...place, truth: truth?.name ?? null, prediction, score, topK, correct, error: null });
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      const { reason, message: detail } = error;
      const failed = failedPlaceOf(entry, this.#shape.oneRecord ? null : recordIndex);
      this.#note({ ...failed, reason, detail });
      this.#addUnanswered(entry.name, reason, label);
      this.#addFailed(place, reason, label);
    }
  }

  #addLabeled(
    { name, member }: ShardEntry,
    place: FilePlace,
    { isRight = false, prediction: predicted, evidence }: JudgedAnswer,
    truth: Truth,
  ): void {
    this.#addDrawn(name, isRight ? 'right' : 'wrong', truth);
    if (this.#isCounted) this.#slices?.add(this.#values, isRight, this.#cluster);
    if (evidence === undefined) return;
    const { prediction, truthIndex } = evidence;
    const record = { ...place, truth: truth.name, predicted };
    // Each record passes here, and nearly none is kept.
    if (this.#exemplars.wants(record))
      this.#exemplars.add({
        ...record,
        ...(member && { member }),
        confidence: prediction.confidence ?? null,
        truthScore: prediction.distribution ? (prediction.scores?.[truthIndex] ?? null) : null,
      });
    this.#labels.add({ ...record, member, truthIndex, isRight, prediction, counts: this.#isCounted });
  }

  /** Places of the labeled records of an input from one on; undefined if nobody knows how many it has. */
  #placesFrom(entry: ShardEntry, first: number): readonly number[] | undefined {
    if (this.#shape.oneRecord) return first === 0 ? [0] : [];
    const places = this.#truth.placesOf(entry);
    return places && [...places].filter((place) => place >= first);
  }

  /** Fails the records of an input from one on: those with a label, or else an unknown number of them. */
  #failFrom(entry: ShardEntry, first: number, reason: string, detail: string): void {
    const { name, size } = entry;
    const places = this.#placesFrom(entry, first);
    const isUnknown = places === undefined && size > 0;
    const known = places === undefined || places.length === 0 ? [first] : places;
    this.#note({ ...failedPlaceOf(entry, null), reason, detail }, known.length);
    for (const place of known) {
      this.#takeValues(entry, place);
      const label = this.#truth.lookUp(entry, place);
      if (isUnknown && !NOT_ASKED.has(reason)) this.#ledger.addUnanswered('uncounted');
      else this.#addUnanswered(name, reason, label);
      this.#addFailed(placeOf(entry, place), reason, label);
    }
  }

  #addUnanswered(key: string, reason: string, label: string | undefined): void {
    const known = label === undefined ? undefined : this.#task.truthOf(label);
    if (NOT_ASKED.has(reason)) return this.#addDrawn(key, 'missing', known);
    this.#ledger.addUnanswered(known?.id, this.#cluster);
    this.#addDrawn(key, known === undefined ? 'lost' : 'unanswered', known);
    if (known !== undefined && this.#isCounted) this.#slices?.add(this.#values, undefined, this.#cluster);
  }

  /** Counts an input of a run in rounds, which is one record. */
  #addDrawn(key: string, answer: keyof AnswerCounts, truth?: Truth): void {
    if (this.#draws === undefined) return;
    if (!this.#isCounted) return this.#draws.add(key, 'missing', undefined);
    this.#draws.add(key, answer, { className: truth?.name, values: this.#values });
  }

  #note(failure: ReportFailure, times = 1): void {
    countError(this.#task.tally, failure.reason, times);
    this.#failures.push(failure);
  }

  #addFailed(place: FilePlace, error: string, label: string | undefined): void {
    const nothing = { prediction: null, score: null, topK: null, correct: null };
    const truth = label === undefined ? null : this.#task.truthOf(label).name;
    this.#addRow({ ...place, truth, ...nothing, error });
  }

  #addRow(row: PredictionRow): void {
    this.#file.add(row, this.#values);
    const { report, labels } = this.#plan;
    if (report.baseline !== null || labels.since.length > 0)
      this.#rows.push(this.#cluster === undefined ? row : { ...row, cluster: this.#cluster });
  }

  #takeValues({ name: key, member }: ShardEntry, recordIndex: number): void {
    const { slices, clusters } = this.#plan.report;
    if (slices.length === 0 && clusters === null) return;
    const fields = this.#truth.fieldsOf(key, recordIndex);
    const values = this.#valuesOf({ key, fields, image: this.#image });
    this.#values = clusters === null ? values : values.slice(0, slices.length);
    if (clusters === null) return;
    this.#cluster = clusterBucket(clusterName(clusters, values.slice(slices.length), { key, member }));
  }
}
