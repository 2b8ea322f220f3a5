import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { jsonDocuments, type JsonValue, readJsonDocuments } from '../../prediction/json-documents.ts';
import { OutputError } from '../../prediction/output-error.ts';
import { toText } from '../../prediction/output-text.ts';
import { fieldOf } from '../../prediction/plain-value.ts';
import { textLines } from '../../prediction/text-lines.ts';
import { compactJson, isList } from '../../text/parse-json.ts';

/** Cap on the bytes of an answer in a row; a longer one is known by its digest, and the output has all of it. */
const MAX_BYTES = 65_536;
const CELLS = /^[-+.\deE]+(?:,[-+.\deE]+)*$/;

/**
 * The answers of an output as JSON, in the order of its records. An input that is one record has one answer, whatever it
 * is: JSON as it was written, a text, or the digest of bytes.
 *
 * @param place where the output lies
 * @throws {OutputError} if nothing tells how many records the answers are about
 */
export function* readAnswers(output: Uint8Array, oneRecord: boolean, place: string): Generator<string> {
  if (output.length === 0) throw new OutputError('unreadable-output', 'the output is empty');
  if (!oneRecord) for (const answer of answersOfMany(toText(output))) yield withinRow(answer, place);
  else if (isUtf8(output)) yield withinRow(answerOfOne(toText(output).trim()), place);
  else yield digestOf(output, place);
}

/** The answers of an output, however long they are. If nothing tells its records apart, it is one answer. */
export function wholeAnswers(output: Uint8Array, oneRecord: boolean): string[] {
  const text = toText(output).trim();
  if (oneRecord) return [answerOfOne(text)];
  try {
    return [...answersOfMany(text)];
  } catch (error) {
    if (error instanceof OutputError && error.reason === 'ambiguous-output') return [answerOfOne(text)];
    throw error;
  }
}

function withinRow(answer: string, place: string): string {
  const bytes = Buffer.from(answer);
  return bytes.length > MAX_BYTES ? digestOf(bytes, place) : answer;
}

function digestOf(bytes: Uint8Array, output: string): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return JSON.stringify({ output, bytes: bytes.length, sha256 });
}

function answerOfOne(text: string): string {
  const document = documentOf(text);
  if (document === undefined) return textAnswer(text);
  const error = fieldOf(document, 'error');
  if (typeof error === 'string' && Object.keys(document ?? {}).length === 1)
    throw new OutputError('model-error', error);
  return isStrict(text) ? compactJson(text) : toJson(document);
}

/** The document that a text is; undefined if it's none, or several. */
function documentOf(text: string): JsonValue | undefined {
  try {
    const [only, ...more] = readJsonDocuments(text);
    return more.length === 0 ? only : undefined;
  } catch (error) {
    if (error instanceof OutputError) return undefined;
    throw error;
  }
}

function isStrict(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Numbers that JSON doesn't know become texts. */
function toJson(value: JsonValue): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'number' && !Number.isFinite(one) ? String(one) : one,
  );
}

/** A text, or the numbers of a row of CSV. */
function textAnswer(text: string): string {
  const cells = CELLS.test(text) ? text.split(',').map(Number) : [Number.NaN];
  return JSON.stringify(cells.some(Number.isNaN) ? text : cells);
}

function* answersOfMany(text: string): Generator<string> {
  let documents: Iterable<JsonValue>;
  try {
    documents = jsonDocuments(text);
    for (const _ of documents);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    for (const line of textLines(text)) if (line.trim() !== '') yield textAnswer(line.trim());
    return;
  }
  for (const document of documents) for (const record of recordsOf(document)) yield toJson(record);
}

/** The answers in a document about a file of many records: the rows of TensorFlow Serving, or the items of a list. */
function recordsOf(document: JsonValue): readonly JsonValue[] {
  const rows = fieldOf(document, 'predictions') ?? fieldOf(document, 'outputs');
  if (rows !== undefined && isList(rows)) return rows;
  if (!isList(document)) return [document];
  if (document.length < 2 || document.some((item) => typeof item === 'object' && item !== null))
    return document;
  throw new OutputError(
    'ambiguous-output',
    `the output is a bare list of ${document.length} values: one answer, or one for each record? Have the handler answer ` +
      '{"predictions": […]} with an item for each record, or open the files with columns or transform.splitType "Line"',
  );
}
