import { createReadStream } from 'node:fs';
import type { PredictAnswer } from '../../api/api-schemas.ts';
import type { RecordPlace } from '../../input/input.ts';
import { shownPlace } from '../../input/shown-place.ts';
import type { ColumnSettings } from '../../pipeline/column-settings.ts';
import { type OpenedRecord, openTable } from '../../table/open-table.ts';
import { TableRefused } from '../../table/table-columns.ts';
import type { Application } from '../application.ts';
import { Refusal } from '../refusal.ts';
import { readFailure } from './file-problem.ts';
import { predictBody, PredictionRefused, type Waiting } from './predict-files.ts';

/** Records of a request. */
const AT_ONCE = 64;
/** Refusals of a body, which fewer records may not be. */
const OF_BODY = [400, 413, 415, 422, 424];

/** A pipeline that opens tables. */
interface TablePipeline {
  readonly pipeline: string;
  readonly columns: ColumnSettings;
  readonly contentType: string;
}

/** A record of a table with its prediction, or with a sentence on why there's no prediction. */
export type PredictedRecord = RecordPlace &
  (
    | { readonly prediction: PredictAnswer['predictions'][number]; readonly latencyMs: number }
    | { readonly refusal: string }
  );

type Sendable = Extract<OpenedRecord, { readonly text: string }>;

/**
 * Predictions about the records of a table, in their order. A request holds many; one that is refused is halved, so that a bad record
 * costs itself. If each of its records gets an answer on its own, the endpoint takes one at a time, and the rest is sent that way.
 *
 * @throws {Refusal} if the table can't be opened
 */
export async function* predictTable(
  application: Pick<Application, 'apiUrl'>,
  { pipeline, columns, contentType }: TablePipeline,
  file: string,
  waiting: Waiting,
): AsyncGenerator<PredictedRecord> {
  const isCsv = /^text\/csv\b/i.test(contentType);
  let atOnce = AT_ONCE;
  async function* ask(records: readonly Sendable[]): AsyncGenerator<PredictedRecord> {
    const [first] = records;
    if (first === undefined) return;
    const isAlone = records.length === 1;
    const body = Buffer.from(records.map(({ text }) => text).join('\n'));
    const type = isAlone || isCsv ? contentType : 'application/jsonlines';
    const asked = { file: shownRecord(file, first), type, body };
    const found = await predictBody(application, pipeline, asked, waiting).catch((error: unknown) => {
      if (error instanceof PredictionRefused && OF_BODY.includes(error.status)) return error.message;
      throw error;
    });
    if (typeof found !== 'string' && found.predictions.length === records.length) {
      for (const [at, prediction] of found.predictions.entries())
        yield { ...placeOf(records[at] ?? first), prediction, latencyMs: found.latencyMs };
      return;
    }
    if (isAlone) {
      const refusal =
        typeof found === 'string'
          ? found
          : `${asked.file}: has ${found.predictions.length} predictions instead of one`;
      return yield { ...placeOf(first), refusal };
    }
    let refused = 0;
    const half = Math.ceil(records.length / 2);
    for (const part of [records.slice(0, half), records.slice(half)])
      for await (const answer of ask(part)) {
        if ('refusal' in answer) refused += 1;
        yield answer;
      }
    if (refused === 0) atOnce = 1;
  }
  let next: Sendable[] = [];
  const opened = { ...columns, label: null, sends: isCsv ? ('csv' as const) : ('json' as const) };
  try {
    for await (const batch of openTable(createReadStream(file), opened))
      for (const record of batch) {
        if ('text' in record) next.push(record);
        if ('text' in record && next.length < atOnce) continue;
        yield* ask(next);
        next = [];
        if (!('text' in record))
          yield { ...placeOf(record), refusal: `${shownRecord(file, record)} ${record.defect}` };
      }
    yield* ask(next);
  } catch (error) {
    if (error instanceof TableRefused) throw new Refusal(`${file} ${error.message}`);
    if (error instanceof Error && 'syscall' in error)
      throw new Refusal(`${file} cannot be read: ${readFailure(error)}`);
    throw error;
  }
}

function placeOf({ index, line, id }: RecordPlace): RecordPlace {
  return { index, line, id };
}

/** A record of a file as people see it. */
export function shownRecord(file: string, { index, line, id }: RecordPlace): string {
  return shownPlace({ key: file, recordIndex: index, line, id });
}
