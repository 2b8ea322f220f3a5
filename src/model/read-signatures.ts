import type { FileBody } from './tar-entries.ts';
import { messagesOf, numbersOf, readHeader, textsOf } from './wire-format.ts';

/** A named input or output of a signature. */
export interface SignatureTensor {
  readonly name: string;
  readonly kind: 'float' | 'integer' | 'string' | 'other';
  /** -1 is any size; undefined is any rank. */
  readonly shape: readonly number[] | undefined;
}

/** A callable of a SavedModel, such as `serving_default`. */
export interface ModelSignature {
  readonly name: string;
  readonly inputs: readonly SignatureTensor[];
  readonly outputs: readonly SignatureTensor[];
}

/** Cap on the description of signatures: the weights lie elsewhere, or in the graph, which is skipped. */
const MAX_BYTES = 16_000_000;
/** Values of TensorFlow's `DataType` (types.proto): float, double, bfloat16, half; whole numbers; string. */
const FLOATS = new Set([1, 2, 14, 19]);
const INTEGERS = new Set([3, 4, 5, 6, 9, 17, 22, 23]);
const STRING = 7;

/**
 * Reads the signatures of the graph tagged `serve` out of saved_model.pb and skips the graph itself. Field numbers come from
 * TensorFlow's saved_model.proto and meta_graph.proto. Undefined if there is no such graph or the bytes are damaged.
 */
export async function readSignatures(body: FileBody): Promise<readonly ModelSignature[] | undefined> {
  while (body.left > 0) {
    const field = await readHeader(body);
    if (field === undefined) return undefined;
    if (field.number !== META_GRAPH || field.length === undefined) {
      if (!(await body.skip(field.length ?? 0))) return undefined;
      continue;
    }
    const found = await readMetaGraph(body, field.length);
    if (found === undefined || found.isServed) return found?.signatures;
  }
  return undefined;
}

/** In SavedModel, in MetaGraphDef and in MetaInfoDef. */
const META_GRAPH = 2;
const [META_INFO, SIGNATURES] = [1, 5];
const TAGS = 4;

async function readMetaGraph(
  body: FileBody,
  length: number,
): Promise<{ readonly isServed: boolean; readonly signatures: readonly ModelSignature[] } | undefined> {
  const end = body.left - length;
  const signatures: ModelSignature[] = [];
  let isServed = false;
  while (body.left > end) {
    const field = await readHeader(body);
    if (field === undefined) return undefined;
    const { number, length: bytes = 0 } = field;
    if (number !== META_INFO && number !== SIGNATURES) {
      if (!(await body.skip(bytes))) return undefined;
      continue;
    }
    const message = bytes > MAX_BYTES ? undefined : await body.take(bytes);
    if (message === undefined) return undefined;
    if (number === META_INFO) isServed = textsOf(message, TAGS).includes('serve');
    else signatures.push(toSignature(message));
  }
  return body.left === end ? { isServed, signatures } : undefined;
}

/** An entry of `map<string, SignatureDef>`. */
function toSignature(entry: Uint8Array): ModelSignature {
  const [name = ''] = textsOf(entry, 1);
  const definition = messagesOf(entry, 2)[0] ?? new Uint8Array();
  const tensorsOf = (number: number): SignatureTensor[] => messagesOf(definition, number).map(toTensor);
  return { name, inputs: tensorsOf(1), outputs: tensorsOf(2) };
}

/** An entry of `map<string, TensorInfo>`. */
function toTensor(entry: Uint8Array): SignatureTensor {
  const [name = ''] = textsOf(entry, 1);
  const info = messagesOf(entry, 2)[0] ?? new Uint8Array();
  const type = numbersOf(info, 2)[0] ?? 0;
  const kind = FLOATS.has(type)
    ? 'float'
    : INTEGERS.has(type)
      ? 'integer'
      : type === STRING
        ? 'string'
        : 'other';
  const [shape] = messagesOf(info, 3);
  const isUnknown = shape === undefined || numbersOf(shape, 3)[0] === 1;
  return { name, kind, shape: isUnknown ? undefined : messagesOf(shape, 2).map(toSize) };
}

/** A size of -1 is written as ten bytes, more than a double can hold exactly. */
function toSize(dimension: Uint8Array): number {
  const size = numbersOf(dimension, 1)[0] ?? 0;
  return size > Number.MAX_SAFE_INTEGER ? -1 : size;
}
