import { LABEL_COLUMNS } from '../label/label-rows.ts';
import { truthInRecord } from '../label/truth-in-record.ts';
import { toShownValue } from '../pipeline/shown-value.ts';
import { filterInputRecord, readInputRecord, recordFormat } from '../prediction/input-record.ts';
import type { JsonValue } from '../prediction/json-documents.ts';
import type { Problem } from '../problem/problem.ts';
import type { PlannedProcessing } from './plan.ts';
import type { AskedProcessing } from './resolve-data-processing.ts';

/** The first record of an input, as its text. */
export interface SampledRecord {
  readonly key: string;
  readonly text: string;
}

/** What the plan holds, and what some first records of the run's inputs say against it. */
export interface SampledProcessing {
  readonly processing: PlannedProcessing;
  readonly problems: readonly Problem[];
}

/**
 * Settles the data processing by first records from all over the run. A single record without a label costs itself; what
 * is refused are settings that fit none of the sample, rows of different lengths, whose results could not be told from
 * their cells, and a header, which SageMaker would send to the model.
 */
export function settleProcessing(
  { filter, truth }: AskedProcessing,
  samples: readonly SampledRecord[],
  config: {
    readonly contentType: string;
    readonly classes: readonly string[];
    readonly labelsFile: string;
  },
): SampledProcessing {
  const { contentType, classes, labelsFile } = config;
  const format = recordFormat(contentType);
  const records = samples.map(({ key, text }) => ({ key, text, record: readInputRecord(text, format) }));
  const [first] = records;
  const columns = format === 'csv' ? cellsOf(first?.record) : 0;
  const processing: PlannedProcessing = {
    inputFilter: filter.text,
    joinSource: truth === undefined ? 'None' : 'Input',
    inputColumns: columns,
  };
  const problems: Problem[] = [];
  const refuse = (file: string, field: string, value: unknown, message: string): void => {
    problems.push({ file, field, value: toShownValue(value), message });
  };

  const readable = records.filter(({ record }) => record !== undefined);
  if (first !== undefined && readable.length === 0) {
    refuse(
      first.key,
      '',
      '',
      `does not begin with a record of ${contentType}: ${JSON.stringify(first.text.slice(0, 80))}`,
    );
    return { processing, problems };
  }
  if (first === undefined && format === 'csv' && truth !== undefined) {
    const message =
      'has no input whose first row could be read, and without its number of cells results cannot be told from them: let files begin with a row of at most 8 MB';
    refuse('drop', '', '', message);
    return { processing, problems };
  }
  const fits = (test: (one: (typeof records)[number]) => boolean): boolean =>
    readable.length === 0 || readable.some(test);
  if (!fits(({ text }) => filterInputRecord(text, format, filter) !== undefined)) {
    const message = `leads nowhere in the first record of ${where(readable)}`;
    refuse('pipeline.json', 'transform.inputFilter', filter.text, message);
  }
  if (truth === undefined) return { processing, problems };

  if (!fits(({ record }) => truthInRecord(record, truth) !== undefined)) {
    const message = `leads to no class name or index in the first record of ${where(readable)}`;
    refuse(labelsFile, 'labels.truth.path', truth.text, message);
  }
  const other = format === 'csv' ? records.find(({ record }) => cellsOf(record) !== columns) : undefined;
  if (first !== undefined && other !== undefined) {
    const message = `begins with a row of ${cellsOf(other.record)} cells, ${first.key} with one of ${columns}: all rows must have as many, so that results can be told from cells`;
    refuse(other.key, '', '', message);
  }
  for (const { key, record } of readable) {
    const label = truthInRecord(record, truth) ?? '';
    if (format === 'csv' && LABEL_COLUMNS.includes(label.toLowerCase()) && !classes.includes(label)) {
      const message = `begins with a header (${JSON.stringify(label)} where the label belongs), which SageMaker sends to the model as a record: remove it`;
      refuse(key, '', '', message);
    }
    if (isObject(record) && Object.hasOwn(record, 'SageMakerOutput')) {
      refuse(
        key,
        '',
        '',
        'has records with a field SageMakerOutput, which SageMaker overwrites with the result: rename it',
      );
    }
  }
  return { processing, problems };
}

function where(records: readonly SampledRecord[]): string {
  const [first] = records;
  const others = records.length > 1 ? `, nor of ${records.length - 1} others looked at` : '';
  return `${first?.key ?? 'the inputs'}${others}`;
}

function cellsOf(record: JsonValue | undefined): number {
  return Array.isArray(record) ? record.length : 0;
}

function isObject(value: JsonValue | undefined): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
