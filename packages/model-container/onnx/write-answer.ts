import type { NamedTensors, Tensor } from '@inferdrop/savedmodel/servable-model';
import { writeNpy } from './npy.ts';
import { refuse } from './request-refused.ts';

/** How an answer is written, by the media type that a caller accepts. */
const WRITERS = new Map<string, (outputs: NamedTensors) => string | Buffer>([
  ['application/json', (outputs) => `{"predictions": [${recordsOf(outputs).join(', ')}]}`],
  ['application/jsonlines', writeLines],
  ['text/csv', writeCsv],
  ['application/x-npy', onlyArray],
]);

/** @throws {RequestRefused} for a type that no answer is written as */
export function writerOf(accept: string, media: string): (outputs: NamedTensors) => string | Buffer {
  const wanted = accept.split(';')[0]?.trim().toLowerCase() ?? '';
  const lines = media === 'application/jsonlines' && wanted === 'application/json';
  const writer = WRITERS.get(lines ? media : wanted);
  return writer ?? refuse(`Accept must be one of ${[...WRITERS.keys()].join(', ')}, is ${accept}`, 406);
}

function writeLines(outputs: NamedTensors): string {
  return recordsOf(outputs)
    .map((record) => `${record}\n`)
    .join('');
}

/** JSON of each record: its row of the only output, or of all outputs by their names. */
function recordsOf(outputs: NamedTensors): string[] {
  const named = [...outputs].map(
    ([name, tensor]) => [name, eachRow(tensor, (start, width) => toJson(tensor, start, width, 1))] as const,
  );
  const [first] = named;
  if (first === undefined) return [];
  if (named.length === 1) return first[1];
  return first[1].map(
    (_, at) => `{${named.map(([name, rows]) => `${JSON.stringify(name)}: ${rows[at] ?? ''}`).join(', ')}}`,
  );
}

function writeCsv(outputs: NamedTensors): string {
  const scores = outputs.get('probabilities');
  if (outputs.size !== 1 && !(outputs.size === 2 && outputs.has('label') && scores !== undefined))
    return refuse(
      `CSV has no names, and the model answers ${[...outputs.keys()].join(', ')}: ask for application/json`,
      406,
    );
  const tensor = scores ?? [...outputs.values()][0];
  if (tensor === undefined) return '';
  const cell = (at: number): string => toCell(elementAt(tensor, at), tensor);
  const lines = eachRow(tensor, (start, width) => Array.from({ length: width }, (_, at) => cell(start + at)));
  return lines.map((line) => `${line.join(',')}\n`).join('');
}

function onlyArray(outputs: NamedTensors): Buffer {
  const [tensor, ...others] = outputs.values();
  return tensor === undefined || others.length > 0
    ? refuse('a NumPy array holds one output of numbers: ask for application/json', 406)
    : writeNpy(tensor);
}

type Element = number | bigint | boolean | string;

/** Writes each record by the place of its first element and the number of its elements. */
function eachRow<T>({ shape, data }: Tensor, write: (start: number, width: number) => T): T[] {
  const count = shape[0] ?? 0;
  return Array.from({ length: count }, (_, row) => write((row * data.length) / count, data.length / count));
}

function elementAt({ dtype, data }: Tensor, at: number): Element {
  const value = data[at] ?? 0;
  if (typeof value === 'object') return Buffer.from(value.buffer, value.byteOffset, value.length).toString();
  return dtype === 'bool' ? value !== 0 : value;
}

/** Nested lists of the `count` elements from `start` on, by the axes from `axis` on. */
function toJson(tensor: Tensor, start: number, count: number, axis: number): string {
  const { shape, dtype } = tensor;
  if (axis >= shape.length) return toText(elementAt(tensor, start), dtype);
  const length = shape[axis] ?? 0;
  const step = length === 0 ? 0 : count / length;
  let text = '';
  for (let at = 0; at < length; at++)
    text += `${at === 0 ? '' : ', '}${toJson(tensor, start + at * step, step, axis + 1)}`;
  return `[${text}]`;
}

/** The text of an element, in the JSON that Python writes: it has names for NaN and infinities. */
function toText(value: Element, dtype: Tensor['dtype']): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'number') return String(value);
  if (Number.isFinite(value)) return finite(value, dtype);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

/** A float that is whole has a fraction of 0, as Python writes it: 1 would be the index of a class. */
function finite(value: number, dtype: Tensor['dtype']): string {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return String(value);
  const text = Object.is(value, -0) ? '-0' : String(value);
  return dtype.startsWith('float') ? `${text}.0` : text;
}

function toCell(value: Element, { dtype }: Pick<Tensor, 'dtype'>): string {
  if (typeof value === 'string') return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'number') return String(value);
  if (Number.isFinite(value)) return finite(value, dtype);
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}
