import { halfToNumber } from '@inferdrop/savedmodel/internal/half-precision';
import type { Tensor } from '@inferdrop/savedmodel/servable-model';
import { toDecimal } from './decimal.ts';
import { toDataTypeName } from './json-tensor.ts';
import { toJsonString } from './json-writer.ts';
import type { PredictForm } from './predict-request.ts';
import { invalidArgument } from './serving-error.ts';

/**
 * Writes the outputs as TensorFlow Serving's pretty printer does: four spaces, and in the row form each
 * instance's values on one line. Outputs named `…_bytes` come as `{"b64": …}`.
 *
 * @throws {ServingError} if the outputs have no common batch dimension to make rows of
 */
export function toPredictResponse(outputs: ReadonlyMap<string, Tensor>, form: PredictForm): string {
  if (outputs.size === 0) throw invalidArgument('Cannot convert empty tensor map to JSON');
  return form === 'row' ? toRows(outputs) : toColumns(outputs);
}

function toRows(outputs: ReadonlyMap<string, Tensor>): string {
  const rows = batchSizeOf(outputs);
  const writers = [...outputs].map(([name, tensor]) => ({
    name,
    size: tensor.shape.slice(1).reduce((product, dim) => product * dim, 1),
    shape: tensor.shape.slice(1),
    leaf: leafWriter(name, tensor, outputs.size > 1 ? '            ' : '        '),
  }));
  const items: string[] = [];
  const [only] = writers;
  for (let row = 0; row < rows; row++) {
    if (writers.length === 1 && only) {
      items.push(toLine(only.shape, 0, row * only.size, only.leaf).text);
    } else {
      const members = writers.map(
        ({ name, shape, size, leaf }) =>
          `            ${toJsonString(name)}: ${toLine(shape, 0, row * size, leaf).text}`,
      );
      items.push(`\n        {\n${members.join(',\n')}\n        }`);
    }
  }
  const list = items.length === 0 ? '[]' : `[${items.join(writers.length === 1 ? ', ' : ',')}\n    ]`;
  return `{\n    "predictions": ${list}\n}`;
}

function batchSizeOf(outputs: ReadonlyMap<string, Tensor>): number {
  let batchSize = -1;
  for (const [name, { shape }] of outputs) {
    const [size] = shape;
    if (size === undefined) throw invalidArgument(`Tensor name: ${name} has no shape information `);
    if (batchSize >= 0 && size !== batchSize)
      throw invalidArgument(
        `Tensor name: ${name} has inconsistent batch size: ${size} expecting: ${batchSize}`,
      );
    batchSize = size;
  }
  return batchSize;
}

function toColumns(outputs: ReadonlyMap<string, Tensor>): string {
  const named = outputs.size > 1;
  const indent = named ? '        ' : '    ';
  const members = [...outputs].map(([name, tensor]) => {
    const text = toLines(tensor.shape, 0, 0, leafWriter(name, tensor, indent), indent).text;
    return named ? `${indent}${toJsonString(name)}: ${text}` : text;
  });
  return named
    ? `{\n    "outputs": {\n${members.join(',\n')}\n    }\n}`
    : `{\n    "outputs": ${members.join('')}\n}`;
}

type LeafWriter = (index: number, indent?: string) => string;
interface Written {
  readonly text: string;
  readonly next: number;
}

function toLine(shape: readonly number[], dim: number, at: number, leaf: LeafWriter): Written {
  const size = shape[dim];
  if (size === undefined) return { text: leaf(at), next: at + 1 };
  const parts: string[] = [];
  let next = at;
  for (let i = 0; i < size; i++) {
    if (dim === shape.length - 1) parts.push(leaf(next++));
    else {
      const written = toLine(shape, dim + 1, next, leaf);
      parts.push(written.text);
      next = written.next;
    }
  }
  return { text: `[${parts.join(', ')}]`, next };
}

function toLines(
  shape: readonly number[],
  dim: number,
  at: number,
  leaf: LeafWriter,
  indent: string,
): Written {
  const size = shape[dim];
  if (size === undefined) return { text: leaf(at, indent), next: at + 1 };
  if (size === 0) return { text: '[]', next: at };
  const parts: string[] = [];
  const inner = `${indent}    `;
  let next = at;
  for (let i = 0; i < size; i++) {
    const written = toLines(shape, dim + 1, next, leaf, inner);
    parts.push(inner + written.text);
    next = written.next;
  }
  return { text: `[\n${parts.join(',\n')}\n${indent}]`, next };
}

function leafWriter(name: string, tensor: Tensor, rowIndent: string): LeafWriter {
  switch (tensor.dtype) {
    case 'float32':
    case 'float64': {
      const { data, dtype } = tensor;
      return (index) => toDecimal(data[index] ?? NaN, dtype);
    }
    case 'float16': {
      const { data } = tensor;
      return (index) => toDecimal(halfToNumber(data[index] ?? 0), 'float32');
    }
    case 'bool': {
      const { data } = tensor;
      return (index) => (data[index] ? 'true' : 'false');
    }
    case 'string': {
      const { data } = tensor;
      const text = (index: number): Buffer => Buffer.from(data[index] ?? []);
      return name.endsWith('_bytes')
        ? (index, indent = rowIndent) =>
            `{\n${indent}    "b64": "${text(index).toString('base64')}"\n${indent}}`
        : (index) => toJsonString(text(index).toString('utf8'));
    }
    case 'uint16':
      throw invalidArgument(`Failed to write JSON value for tensor type: ${toDataTypeName(tensor.dtype)}`);
    default: {
      const { data } = tensor;
      return (index) => String(data[index]);
    }
  }
}
