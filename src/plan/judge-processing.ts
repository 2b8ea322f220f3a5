import { LABEL_COLUMNS } from '../label/label-rows.ts';
import { truthInRecord } from '../label/truth-in-record.ts';
import { toShownValue } from '../pipeline/shown-value.ts';
import { filterInputRecord, readInputRecord, recordFormat } from '../prediction/input-record.ts';
import type { JsonValue } from '../prediction/json-documents.ts';
import { followPath, type JsonPath } from '../prediction/json-path.ts';
import type { Problem } from '../problem/problem.ts';
import type { PlannedProcessing } from './plan.ts';
import type { AskedProcessing } from './resolve-data-processing.ts';

/** The first records of an input, as their text. */
export interface SampledInput {
  readonly key: string;
  readonly records: readonly [string, ...string[]];
}

/** The plan's data processing, and how the first records of the inputs contradict it. */
export interface SampledProcessing {
  readonly processing: PlannedProcessing;
  readonly problems: readonly Problem[];
  /** Notes for the reader, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Resolves the data processing from the first records of inputs all over the run. A single record without a label costs itself;
 * refused are settings that fit none of the sample, rows of different lengths, whose results could not be separated from their
 * cells, and a header, which SageMaker would send to the model.
 */
export function judgeProcessing(
  { filter, truth }: AskedProcessing,
  inputs: readonly SampledInput[],
  config: {
    readonly contentType: string;
    readonly classes: readonly string[];
    readonly labelsFile: string;
  },
): SampledProcessing {
  const { contentType, classes, labelsFile } = config;
  const format = recordFormat(contentType);
  const firsts = inputs.map(({ key, records: [text] }) => ({ key, record: readInputRecord(text, format) }));
  const [first] = firsts;
  const columns = cellsOf(format === 'csv' ? first?.record : undefined);
  const problems: Problem[] = [];
  const judged: SampledProcessing = {
    processing: {
      inputFilter: filter.text,
      joinSource: truth === undefined ? 'None' : 'Input',
      inputColumns: columns,
    },
    problems,
    notes: truth !== undefined && sendsLabel(filter, truth, columns) ? [LABEL_SENT] : [],
  };
  const refuse = (file: string, message: string, field = '', value: unknown = ''): void => {
    problems.push({ file, field, value: toShownValue(value), message });
  };

  if (first === undefined) {
    if (format === 'csv' && truth !== undefined) {
      const message =
        'has no input whose first row could be read, and without its number of cells results cannot be separated from them: let files begin with a row of at most 8 MB';
      refuse('drop', message);
    }
    return judged;
  }
  const texts = inputs.flatMap(({ records }) => records);
  const records = texts.map((text) => readInputRecord(text, format)).filter((record) => record !== undefined);
  if (records.length === 0) {
    refuse(
      first.key,
      `does not begin with a record of ${contentType}: ${JSON.stringify(texts[0]?.slice(0, 80))}`,
    );
    return judged;
  }
  const where = `the ${records.length} records looked at, at the beginning of ${first.key}${inputs.length > 1 ? ' and others' : ''}`;
  if (texts.every((text) => filterInputRecord(text, format, filter) === undefined)) {
    refuse('pipeline.json', `leads nowhere in ${where}`, 'transform.inputFilter', filter.text);
  }
  if (truth === undefined) return judged;

  if (records.every((record) => truthInRecord(record, truth) === undefined)) {
    const message = `leads to no class name or index in ${where}`;
    refuse(labelsFile, message, 'labels.truth.path', truth.text);
  }
  const other = format === 'csv' ? firsts.find(({ record }) => cellsOf(record) !== columns) : undefined;
  if (other !== undefined) {
    const message = `begins with a row of ${cellsOf(other.record)} cells, ${first.key} with one of ${columns}: all rows must have as many, so that results can be separated from cells`;
    refuse(other.key, message);
  }
  for (const { key, record } of firsts) {
    const label = truthInRecord(record, truth) ?? '';
    if (format === 'csv' && LABEL_COLUMNS.includes(label.toLowerCase()) && !classes.includes(label)) {
      const message = `begins with a header (${JSON.stringify(label)} where the label belongs), which SageMaker sends to the model as a record: remove it`;
      refuse(key, message);
    }
    if (isObject(record) && Object.hasOwn(record, 'SageMakerOutput')) {
      const message =
        'has records with a field SageMakerOutput, which SageMaker overwrites with the result: rename it';
      refuse(key, message);
    }
  }
  return judged;
}

const LABEL_SENT =
  'the model gets the label that labels.truth finds in each record: transform.inputFilter can leave it out, as "$[1:]" or "$.features" do';

/** Whether the container's input includes the label; a filter of JSON is not checked. */
function sendsLabel(filter: JsonPath, truth: JsonPath, columns: number): boolean {
  if (columns === 0) return filter.steps.length === 0;
  const places = Array.from({ length: columns }, (_, place) => place);
  const sent = followPath(filter, places);
  const label = followPath(truth, places);
  return label !== undefined && (Array.isArray(sent) ? sent.includes(label) : sent === label);
}

function cellsOf(record: JsonValue | undefined): number {
  return Array.isArray(record) ? record.length : 0;
}

function isObject(value: JsonValue | undefined): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
