import { isJsonArray, isJsonObject, type JsonValue } from '@inferdrop/model-container/internal/json-document';
import type { CreateTransformJobInput } from '../../transform-job-record.ts';
import type { InputRecord } from '../split-records.ts';
import { parseRecord, type RecordFormat, resolveRecordFormat, toRecordText } from './record-format.ts';
import { applyJsonPath, type JsonPath, parseJsonPath } from './record-path.ts';

/** Filters before and after the container, and the join of its answers with the unfiltered inputs. */
export interface DataProcessing {
  /** Filters a record: the result is sent in its place. */
  filterInput(record: InputRecord): InputRecord;
  /**
   * Output that is stored instead of the container's answer to these records.
   *
   * @throws {Error} if the answer is not one result a record, or a filter leads nowhere
   */
  toOutput(records: readonly InputRecord[], answer: Buffer): Buffer;
}

type Job = Pick<CreateTransformJobInput, 'DataProcessing' | 'TransformInput' | 'TransformOutput'>;

/**
 * Undefined if the job has no data processing.
 *
 * @throws {JsonPathError} if a filter is not a path
 */
export function createDataProcessing({ DataProcessing, TransformInput }: Job): DataProcessing | undefined {
  const { InputFilter = '$', OutputFilter = '$', JoinSource = 'None' } = DataProcessing ?? {};
  if (InputFilter === '$' && OutputFilter === '$' && JoinSource === 'None') return undefined;
  const format = resolveRecordFormat(TransformInput.ContentType);
  if (!format)
    throw new TypeError(`data processing knows no ${TransformInput.ContentType ?? 'missing'} content type`);
  const lines = TransformInput.SplitType === 'Line' || format !== 'json';
  const [inputPath, outputPath] = [parseJsonPath(InputFilter), parseJsonPath(OutputFilter)];
  return {
    filterInput({ payload }) {
      if (InputFilter === '$') return { payload, framed: lines ? withNewline(payload) : payload };
      const filtered = linesOf(payload, lines).map((line) => filterText(line, inputPath, format));
      const sent = Buffer.from(filtered.join('\n'));
      return { payload: sent, framed: lines ? withNewline(sent) : sent };
    },
    toOutput(records, answer) {
      // An answer that is neither joined nor filtered need not be of the format.
      if (JoinSource === 'None' && OutputFilter === '$') return answer;
      const inputs = records.flatMap(({ payload }) => linesOf(payload, lines));
      // A JSON document may have line breaks, a row can't.
      const whole = inputs.length === 1 && format !== 'csv';
      const results = whole ? [answer.toString('utf8')] : linesOf(answer, true);
      if (results.length !== inputs.length)
        throw new Error(
          `the container must answer ${inputs.length} records with as many results, gave ${results.length}`,
        );
      const outputs = results.map((result, index) => {
        const output = parseRecord(result, format);
        const joined =
          JoinSource === 'Input' ? join(parseRecord(inputs[index] ?? '', format), output, format) : output;
        return toRecordText(applyJsonPath(outputPath, joined), format);
      });
      return Buffer.from(outputs.join('\n'));
    },
  };
}

function filterText(text: string, path: JsonPath, format: RecordFormat): string {
  return toRecordText(applyJsonPath(path, parseRecord(text, format)), format);
}

function linesOf(body: Buffer, split: boolean): readonly string[] {
  const text = body.toString('utf8');
  return split ? text.split(/\r?\n/).filter((line) => line !== '') : [text];
}

function withNewline(body: Buffer): Buffer {
  return Buffer.concat([body, Buffer.from('\n')]);
}

function join(input: JsonValue, output: JsonValue, format: RecordFormat): JsonValue {
  if (format === 'csv')
    return [...(isJsonArray(input) ? input : [input]), ...(isJsonArray(output) ? output : [output])];
  return isJsonObject(input)
    ? { ...input, SageMakerOutput: output }
    : { SageMakerInput: input, SageMakerOutput: output };
}
