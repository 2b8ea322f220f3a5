import { truthInRecord } from '../label/truth-in-record.ts';
import { recordFormat } from '../prediction/input-record.ts';
import { readJoinedOutput } from '../prediction/joined-output.ts';
import { parseJsonPath } from '../prediction/json-path.ts';
import { OutputError } from '../prediction/output-error.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { eachPrediction } from '../prediction/read-output.ts';
import { outputShape } from './output-shape.ts';
import type { ScoringPlan } from './scoring-plan.ts';

/** The answer in an output for one record. */
export interface OutputRecord {
  readonly prediction: Prediction | OutputError;
  readonly label: string | undefined;
  /** Why there's no label, if every record must have its own and this one could be read. */
  readonly missing?: string;
}

/**
 * Reads an output's records in their order, each with its label: the one joined to it, or else that of its place.
 *
 * @throws {OutputError} if the object as a whole cannot be read
 * @throws {ClassCountMismatch}
 */
export type OutputRecords = (
  output: Uint8Array,
  labelOf?: (recordIndex: number) => string | undefined,
) => Iterable<OutputRecord>;

/** How the outputs of a run are read. */
export function outputRecords(plan: ScoringPlan): OutputRecords {
  const shape = outputShape(plan);
  const joined = joinedRecords(plan);
  if (joined !== undefined) return joined;
  return function* (output, labelOf) {
    let index = 0;
    for (const prediction of eachPrediction(output, shape)) yield { prediction, label: labelOf?.(index++) };
  };
}

/** Reads outputs in which SageMaker has joined results with their records; undefined if it was not asked to. */
function joinedRecords({ labels, transform }: ScoringPlan): OutputRecords | undefined {
  const { contentType, splitType, dataProcessing } = transform;
  if (dataProcessing?.joinSource !== 'Input' || labels.truth?.from !== 'record') return undefined;
  const path = parseJsonPath(labels.truth.path);
  if ('reason' in path) throw new RangeError(`labels.truth.path ${path.reason}`);
  const missing = `labels.truth.path ${path.text} leads to no class name or index in the record`;
  const joined = {
    format: recordFormat(contentType),
    lines: splitType === 'Line',
    inputColumns: dataProcessing.inputColumns,
  };
  const shape = outputShape({ labels, transform });
  return (output) =>
    Iterator.from(readJoinedOutput(output, joined, shape)).map(({ input, prediction }) => {
      const label = truthInRecord(input, path);
      return { prediction, label, ...(label === undefined && input !== undefined && { missing }) };
    });
}

/**
 * The first record's prediction: the answer that an endpoint should give to this record alone. Undefined if the output has none that can
 * be read.
 *
 * @throws {OutputError} if the object as a whole cannot be read
 */
export function firstPrediction(plan: ScoringPlan, output: Uint8Array): Prediction | undefined {
  for (const { prediction } of outputRecords(plan)(output))
    return prediction instanceof OutputError ? undefined : prediction;
  return undefined;
}
