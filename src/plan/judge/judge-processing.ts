import { isLabelTitle } from '../../label/label-columns.ts';
import { truthInRecord } from '../../label/truth-in-record.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import { filterInputRecord, readInputRecord, recordFormat } from '../../prediction/input-record.ts';
import type { JsonValue } from '../../prediction/json-documents.ts';
import { followPath, type JsonPath } from '../../prediction/json-path.ts';
import type { Problem } from '../../problem/problem.ts';
import type { PlannedProcessing } from '../plan.ts';
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
  readonly notes: readonly string[];
}

/**
 * Resolves the data processing from the first records of inputs all over the run. A single record without a label fails alone. Refused are
 * settings that fit none of the sample, rows of different lengths, whose results could not be separated from their cells, and a header,
 * which SageMaker would send to the model.
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
  const judged = (problems: readonly Problem[]): SampledProcessing => ({
    processing: {
      inputFilter: filter.text,
      joinSource: truth === undefined ? 'None' : 'Input',
      inputColumns: columns,
    },
    problems,
    notes: truth !== undefined && sendsLabel(filter, truth, columns) ? [LABEL_SENT] : [],
  });

  if (first === undefined) return judged(format === 'csv' && truth !== undefined ? [NO_FIRST_ROW] : []);
  const texts = inputs.flatMap(({ records }) => records);
  const records = texts.map((text) => readInputRecord(text, format)).filter((record) => record !== undefined);
  if (records.length === 0) {
    const begin = JSON.stringify(texts[0]?.slice(0, 80));
    return judged([refusal(first.key, `does not begin with a record of ${contentType}: ${begin}`)]);
  }
  const where = `the ${records.length} records looked at, at the beginning of ${first.key}${inputs.length > 1 ? ' and others' : ''}`;
  const unfiltered = texts.every((text) => filterInputRecord(text, format, filter) === undefined)
    ? [refusal('pipeline.json', `leads nowhere in ${where}`, 'transform.inputFilter', filter.text)]
    : [];
  if (truth === undefined) return judged(unfiltered);

  const unlabelled = records.every((record) => truthInRecord(record, truth) === undefined)
    ? [refusal(labelsFile, `leads to no class name or index in ${where}`, 'labels.truth.path', truth.text)]
    : [];
  const rows = format === 'csv' ? rowProblems(firsts, truth, classes) : [];
  return judged([...unfiltered, ...unlabelled, ...rows, ...firsts.flatMap(outputFieldProblems)]);
}

interface FirstRecord {
  readonly key: string;
  readonly record: JsonValue | undefined;
}

function refusal(file: string, message: string, field = '', value: unknown = ''): Problem {
  return { file, field, value: toShownValue(value), message };
}

const NO_FIRST_ROW = refusal(
  'drop',
  'has no input whose first row could be read, and without its number of cells results cannot be separated from them: let files begin with a row of at most 8 MB',
);

/** Rows of different lengths, and headers. */
function rowProblems(firsts: readonly FirstRecord[], truth: JsonPath, classes: readonly string[]): Problem[] {
  const [first] = firsts;
  const columns = cellsOf(first?.record);
  const other = firsts.find(({ record }) => cellsOf(record) !== columns);
  const uneven =
    other === undefined
      ? []
      : [
          refusal(
            other.key,
            `begins with a row of ${cellsOf(other.record)} cells, ${first?.key ?? ''} with one of ${columns}: all rows must have as many, so that results can be separated from cells`,
          ),
        ];
  const headers = firsts.flatMap(({ key, record }) => {
    const label = truthInRecord(record, truth) ?? '';
    if (!isLabelTitle(label) || classes.includes(label)) return [];
    const message = `begins with a header (${JSON.stringify(label)} where the label belongs), which SageMaker sends to the model as a record: remove it`;
    return [refusal(key, message)];
  });
  return [...uneven, ...headers];
}

function outputFieldProblems({ key, record }: FirstRecord): Problem[] {
  if (!isObject(record) || !Object.hasOwn(record, 'SageMakerOutput')) return [];
  const message =
    'has records with a field SageMakerOutput, which SageMaker overwrites with the result: rename it';
  return [refusal(key, message)];
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
