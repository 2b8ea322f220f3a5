import { isUtf8 } from 'node:buffer';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { type Correction, correctLabels, headOf, labelsCsv } from '../../label/corrected-labels.ts';
import { NamedInputs } from '../../label/label-columns.ts';
import { cellOf } from '../../label/reading.ts';
import { keyOfRow, NameForm } from '../../label/truth-in-file.ts';
import { resolveSlices } from '../../plan/judge/resolve-slices.ts';
import { outputShape } from '../../plan/output-shape.ts';
import { predictedBy } from '../../plan/predicted-by.ts';
import { Condition } from '../../problem/conditions.ts';
import { AnswerJudge } from '../../review/judge-answers.ts';
import { readAnswers } from '../../review/read-answers.ts';
import { type Reading, settle } from '../../review/reading.ts';
import { taskId } from '../../review/review-task.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { opensFiles } from '../../transform/one-record.ts';
import { readConfiguration } from '../plan/open/read-configuration.ts';
import { findDropFile } from '../records/drop.ts';
import { reportJson } from '../records/report.ts';
import { reviewsJson } from '../records/reviews.ts';
import { scoringPlanJson } from '../records/scoring-plan.ts';
import { type RunRecord, runRecords } from './run-records.ts';

/** Cap on the bytes of the label file, which memory holds. */
const MAX_LABEL_BYTES = 256 * 1024 * 1024;
/** Problems that a refusal names. */
const MAX_NAMED = 50;

/** Counts of a review's answers, and the labels with them. */
export interface ImportedReview {
  /** Answered records; how many keep their label, get another or a first label, or wait for a second person. */
  readonly reviewed: number;
  readonly agreed: number;
  readonly changed: number;
  readonly waiting: number;
  /** Records with the model's answer among people's answers. */
  readonly asPredicted: number;
  /** The label file with the answers. */
  readonly name: string;
  readonly text: string;
  /** Whether the drop's runs read their labels from such a file. */
  readonly isRead: boolean;
  /** The answers, to be kept with the run that made the predictions. */
  readonly readings: readonly Reading[];
  readonly predictedBy: RunParts;
  /** ETag of the label file that the answers were merged into; null if there was none. */
  readonly over: string | null;
}

/**
 * Reads the answers of a review, checks them against a run, and merges them into the labels: the drop's label file as it is now,
 * or, if its labels come from elsewhere, all labels of the run.
 *
 * @throws `ReviewRefused` with every problem of the answers
 */
export async function importAnswers(
  { store, clock }: { readonly store: ObjectStore; readonly clock: () => Date },
  run: RunParts,
  { text, by }: { readonly text: string; readonly by: string },
): Promise<ImportedReview> {
  const name = toRunId(run);
  const [plan, report] = await Promise.all([scoringPlanJson(run).read(store), reportJson(run).read(store)]);
  if (plan === undefined || report === undefined)
    throw new Condition('NothingToReview', `${name} has no report: inferdrop runs lists the runs there are`);
  const { answers, problems } = readAnswers(text, plan.labels.classes);
  const judge = new AnswerJudge<RunRecord>(name, plan.labels.classes, answers);
  // A record of an opened table is named by its table and its place there.
  const oneRecord = outputShape(plan).oneRecord && !opensFiles(plan.transform);
  const predictor = predictedBy(run, plan);
  const reviews = await reviewsJson(predictor).read(store);
  const { config } = await readConfiguration(store, run, []);
  const truth = config?.labels.truth;
  const former = truth?.from === 'file' ? await readLabelFile(store, run, truth.path) : undefined;
  if (truth?.from === 'file' && former === undefined && !truth.path.endsWith('.csv'))
    throw refused([
      `the drop does not have ${truth.path}, the file of labels.truth, and a new label file is written as CSV: upload ` +
        `${truth.path} again, or set labels.truth to {"from": "file", "path": "labels.csv"}`,
    ]);
  const placed = ({ key, recordIndex }: RunRecord): Pick<Correction, 'key' | 'recordIndex'> => ({
    key,
    recordIndex: oneRecord ? undefined : recordIndex,
  });
  const place = { bucket: store.bucket, prefix: plan.input.prefix };
  // A file has its labels in one form: names among numbers would make it unreadable.
  const { classes, reading } = plan.labels;
  const asLabel = (name: string): string =>
    cellOf(name, classes, config?.labels.numbers ?? (former && reading?.numbers) ?? 'names');
  const asked = {
    classes,
    column: truth?.from === 'file' ? truth.column : null,
    fields: config === undefined ? [] : resolveSlices(config).columns,
  };
  const head = headOf(former?.text ?? labelsCsv([], { prefix: place.prefix, oneRecord }));
  const named = new NamedInputs(head, (cell) => keyOfRow(cell, place));
  const form = new NameForm(place.prefix);
  // Labels from elsewhere are copied from the run without a reviewer: it is not known who gave them.
  const labels: Pick<Correction, 'key' | 'recordIndex' | 'label'>[] = [];
  for await (const records of runRecords(store, run))
    for (const record of records) {
      judge.meet(record);
      named.add(record.key);
      form.add(record.key);
      if (former === undefined && record.label !== null)
        labels.push({ ...placed(record), label: asLabel(record.label) });
    }
  const wrong = [...problems, ...judge.problems()];
  if (answers.length === 0 && wrong.length === 0) wrong.push('it has no answers');
  if (wrong.length > 0) throw refused(wrong);
  const at = clock().toISOString();
  const [blind, shown] = [new Set(reviews?.blind), new Set(reviews?.shown)];
  const read = judge.judged.map(({ answer }): Reading => ({
    id: answer.id,
    label: answer.label,
    by: answer.by ?? by,
    at: answer.at ?? at,
    // Nothing says that a record which no review has shown was not seen with its prediction.
    how: blind.has(answer.id) && !shown.has(answer.id) ? 'blind' : 'shown',
  }));
  const readings = Map.groupBy([...(reviews?.readings ?? []), ...read], ({ id }) => id);
  const reviewed = [...new Set(judge.judged.map(({ record }) => record))].map((record) => ({
    record,
    settled: settle(readings.get(taskId(record.key, record.recordIndex)) ?? [], record.label),
  }));
  const corrections = reviewed.flatMap(({ record, settled }): Correction[] =>
    settled === undefined || settled === 'second' || settled.label === null
      ? []
      : [{ ...placed(record), ...settled, label: asLabel(settled.label) }],
  );
  const file = former ?? {
    name: 'labels.csv',
    text: labelsCsv(labels, { prefix: place.prefix, oneRecord }),
  };
  const waiting = reviewed.filter(({ settled }) => settled === 'second').length;
  const agreed = reviewed.filter(
    ({ record, settled }) => settled !== 'second' && settled?.label === record.label,
  ).length;
  return {
    reviewed: reviewed.length,
    agreed,
    changed: reviewed.length - waiting - agreed,
    waiting,
    asPredicted: new Set(
      judge.judged.flatMap(({ record, answer }) => (record.predicted === answer.label ? [record] : [])),
    ).size,
    readings: read,
    predictedBy: predictor,
    name: file.name,
    text: correctLabels({ ...file, place, form, columns: named.decide(asked) }, corrections),
    isRead: truth?.from === 'file',
    over: former?.etag ?? null,
  };
}

async function readLabelFile(
  store: ObjectStore,
  run: RunParts,
  name: string,
): Promise<{ readonly name: string; readonly text: string; readonly etag: string } | undefined> {
  const { key, found } = await findDropFile(store, run, name);
  if (found === undefined) return undefined;
  if (found.size > MAX_LABEL_BYTES)
    throw refused([
      `${key} must have at most ${MAX_LABEL_BYTES} bytes for a review to be merged, has ${found.size}`,
    ]);
  const bytes = await store.readBytes(key);
  if (bytes === undefined) return undefined;
  // Its other rows are written again, so that no byte may be lost on the way.
  if (!isUtf8(bytes))
    throw refused([`${key} must be UTF-8, has other bytes: save it as UTF-8 and upload it again`]);
  return { name, text: new TextDecoder().decode(bytes), etag: found.etag };
}

function refused(problems: readonly string[]): Condition {
  const more = problems.length > MAX_NAMED ? [`and ${problems.length - MAX_NAMED} more`] : [];
  return new Condition(
    'ReviewRefused',
    ['the answers cannot be taken, and nothing was written:', ...problems.slice(0, MAX_NAMED), ...more].join(
      '\n  ',
    ),
  );
}
