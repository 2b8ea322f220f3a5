import { halfToNumber } from '@inferdrop/savedmodel/internal/half-precision';
import type { NamedTensors, Tensor, TensorSpec } from '@inferdrop/savedmodel/servable-model';
import { refuse } from './request-refused.ts';
import { fit, toTensor } from './to-tensor.ts';

/** The format of https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. */
const MAGIC = '\x93NUMPY';

type Kind = 'f' | 'i' | 'u' | 'b';

/** Tensor of a file of `numpy.save`. @throws {RequestRefused} */
export function readNpy(spec: TensorSpec, body: Uint8Array): NamedTensors {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (bytes.toString('latin1', 0, 6) !== MAGIC || bytes.length < 12)
    return refuse('the request is not a NumPy array: it does not begin as one');
  const isLong = (bytes[6] ?? 1) > 1;
  const start = isLong ? 12 : 10;
  const end = start + (isLong ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8));
  const header = bytes.toString('latin1', start, end);
  const [, order = '', kind = '', size = ''] = /'descr': '([<>|])([fiub])(\d)'/.exec(header) ?? [];
  const [, fortran = ''] = /'fortran_order': (True|False)/.exec(header) ?? [];
  const [, listed] = /'shape': \(([\d, ]*)\)/.exec(header) ?? [];
  if (listed === undefined || !isKind(kind) || fortran !== 'False' || order === '>')
    return refuse(
      `the request is not a NumPy array of numbers in row-major order, little-endian: its header is ${header.slice(0, 200)}`,
    );
  if (!canCast(kind, Number(size), spec.dtype))
    return refuse(`input ${spec.name} takes ${spec.dtype}, and the array does not fit it`);
  const shape = listed
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number);
  const count = shape.reduce((product, length) => product * length, 1);
  const step = Number(size);
  if (bytes.length - end !== count * step)
    return refuse(
      `the request is not a NumPy array: it needs ${count * step} bytes, and has ${bytes.length - end}`,
    );
  const values = Array.from({ length: count }, (_, at) => numberAt(bytes, end + at * step, kind, step));
  if (kind !== 'f' && !values.every(Number.isSafeInteger))
    return refuse('the NumPy array has integers beyond 2^53');
  return new Map([[spec.name, toTensor(spec, fit(spec, shape), values)]]);
}

function isKind(text: string): text is Kind {
  return ['f', 'i', 'u', 'b'].includes(text);
}

/** numpy's "same_kind": to the same kind or one above, of any size. */
function canCast(kind: Kind, sizeBytes: number, dtype: Tensor['dtype']): boolean {
  const known = { f: [2, 4, 8], i: [1, 2, 4, 8], u: [1, 2, 4, 8], b: [1] }[kind].includes(sizeBytes);
  const ranks = { b: 0, u: 1, i: 2, f: 3 };
  if (dtype === 'string' || !known) return false;
  const to = dtype === 'bool' ? 0 : dtype.startsWith('u') ? 1 : dtype.startsWith('int') ? 2 : 3;
  return ranks[kind] <= to;
}

function numberAt(bytes: Buffer, at: number, kind: Kind, size: number): number {
  if (kind === 'b') return bytes[at] === 0 ? 0 : 1;
  if (kind === 'f')
    return size === 8
      ? bytes.readDoubleLE(at)
      : size === 4
        ? bytes.readFloatLE(at)
        : halfToNumber(bytes.readUInt16LE(at));
  if (size === 8) return Number(kind === 'u' ? bytes.readBigUInt64LE(at) : bytes.readBigInt64LE(at));
  return kind === 'u' ? bytes.readUIntLE(at, size) : bytes.readIntLE(at, size);
}

/** A file of `numpy.save`, as numpy writes one. @throws {RequestRefused} for texts */
export function writeNpy({ dtype, shape, data }: Tensor): Buffer {
  const type = NAMES[dtype];
  if (type === undefined || !ArrayBuffer.isView(data))
    return refuse('a NumPy array holds one output of numbers: ask for application/json', 406);
  const tuple = shape.length === 1 ? `(${shape.join()},)` : `(${shape.join(', ')})`;
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': ${tuple}, }`;
  // Magic, version and length have 10 bytes; the elements begin at a multiple of 64.
  const padded = `${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`;
  const head = Buffer.from(`${MAGIC}\x01\x00\x00\x00${padded}`, 'latin1');
  head.writeUInt16LE(padded.length, 8);
  return Buffer.concat([head, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]);
}

const NAMES: Partial<Record<Tensor['dtype'], string>> = {
  float32: '<f4',
  float64: '<f8',
  int8: '|i1',
  int16: '<i2',
  int32: '<i4',
  int64: '<i8',
  uint8: '|u1',
  uint16: '<u2',
  uint32: '<u4',
  uint64: '<u8',
  bool: '|b1',
};
