import {
  boolAttr,
  type GraphNode,
  intAttr,
  intsAttr,
  textAttr,
  typeAttr,
  unsupported,
} from '../../savedmodel/graph-node.ts';
import { InvalidFeeds } from '../../savedmodel/servable-model.ts';
import { tile } from '../beside-texts.ts';
import { combine } from '../broadcast.ts';
import { type HostTensor, hostTensorOf } from '../host-tensor.ts';
import { fingerprint64 } from './farm-hash.ts';
import { sipHash } from './sip-hash.ts';
import type { TextOperation } from './text-operation.ts';
import { decodeUtf8, keyOf } from './texts.ts';

/** Letters of ASCII, which is all that TensorFlow changes without an encoding. */
const cased =
  (from: number, by: number): TextOperation =>
  ({ node, texts, input }) => {
    if (textAttr(node, 'encoding') !== '') throw unsupported(node, `encoding ${textAttr(node, 'encoding')}`);
    return texts.map(input(0), (bytes) =>
      bytes.map((byte) => (byte >= from && byte < from + 26 ? byte + by : byte)),
    );
  };

const strip: TextOperation = ({ texts, input }) =>
  texts.map(input(0), (bytes) => {
    const isKept = (byte: number): boolean => byte !== 0x20 && (byte < 0x09 || byte > 0x0d);
    const first = bytes.findIndex(isKept);
    return bytes.subarray(first < 0 ? bytes.length : first, bytes.findLastIndex(isKept) + 1);
  });

const join: TextOperation = ({ node, texts, input }) => {
  const inputs = node.inputs.map((_, index) => input(index));
  const whole = inputs.find(({ shape }) => shape.length > 0) ?? input(0);
  const separator = Buffer.from(textAttr(node, 'separator'));
  const joined = Array.from(whole.data, (_, place) =>
    Buffer.concat(
      inputs.flatMap(({ shape, data }, index) => {
        if (shape.length > 0 && shape.join() !== whole.shape.join())
          throw new InvalidFeeds(`Node ${node.name} (${node.op}): the inputs differ in shape`);
        const item = texts.at(data[shape.length === 0 ? 0 : place] ?? -1);
        return index === 0 ? [item] : [separator, item];
      }),
    ),
  );
  return texts.hold(whole.shape, joined);
};

const lengthOf: TextOperation = ({ node, texts, input }) => {
  const isBytes = textAttr(node, 'unit', 'BYTE') === 'BYTE';
  const count = (bytes: Uint8Array) => (isBytes ? bytes.length : [...decodeUtf8(bytes, node)].length);
  return hostTensorOf('int32', input(0).shape, texts.of(input(0)).map(count));
};

/** Strings are equal if their bytes are, wherever in the table they stand. */
const equal =
  (wanted: boolean): TextOperation =>
  ({ texts, input }) =>
    combine(input(0), input(1), 'bool', (a, b) =>
      Number((Buffer.compare(texts.at(a), texts.at(b)) === 0) === wanted),
    );

function buckets(
  { node, texts, input }: Parameters<TextOperation>[0],
  hash: (bytes: Uint8Array) => bigint,
): HostTensor {
  const count = BigInt(intAttr(node, 'num_buckets', 1));
  return hostTensorOf(
    'int64',
    input(0).shape,
    texts.of(input(0)).map((bytes) => Number(hash(bytes) % count)),
  );
}

function keyOfHash(node: GraphNode): readonly [bigint, bigint] {
  const [first = 0, second = 0] = intsAttr(node, 'key');
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(second))
    throw unsupported(node, 'a key beyond 2^53');
  return [BigInt.asUintN(64, BigInt(first)), BigInt.asUintN(64, BigInt(second))];
}

const strong: TextOperation = (scope) => {
  const key = keyOfHash(scope.node);
  return buckets(scope, (bytes) => sipHash(key, bytes));
};

/** Numbers and truth values as text, floats with a fixed number of decimals. */
const asString: TextOperation = ({ node, texts, input }) => {
  const type = typeAttr(node, 'T');
  const isFloat = type === 'float32' || type === 'float64';
  if (isFloat && (boolAttr(node, 'scientific') || boolAttr(node, 'shortest')))
    throw unsupported(node, 'of floats with an exponent');
  const [width, fill] = [intAttr(node, 'width', -1), textAttr(node, 'fill')];
  if (width > -1 || fill !== '') throw unsupported(node, 'with a width');
  const { dtype, shape, data } = input(0);
  if (dtype === 'string') return texts.hold(shape, texts.of(input(0)));
  const precision = intAttr(node, 'precision', -1);
  const text = (value: number) => {
    if (isFloat) return toFixed(value, precision < 0 ? 6 : precision);
    return dtype === 'bool' ? String(value !== 0) : String(value);
  };
  return texts.hold(
    shape,
    Array.from(data, (value) => Buffer.from(text(value))),
  );
};

/** C's `%f`: what lies halfway between two texts becomes the even one. */
function toFixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (size >= 2 ** 53) return `${sign}${BigInt(size)}${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`;
  const [whole = '', exact = ''] = size.toFixed(100).split('.');
  const kept = whole + exact.slice(0, decimals);
  const rest = exact.slice(decimals);
  const isHalf = /^50*$/.test(rest);
  const isUp = isHalf ? Number(kept.at(-1)) % 2 === 1 : rest >= '5';
  const digits = String(BigInt(kept) + (isUp ? 1n : 0n)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${sign}${digits.slice(0, point)}${decimals > 0 ? `.${digits.slice(point)}` : ''}`;
}

const WORD = /^[\t-\r ]*([+-]?)(?:(inf|infinity)|nan)[\t-\r ]*$/i;
const NUMBER = /^[\t-\r ]*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[\t-\r ]*$/;

type NumberType = 'float32' | 'float64' | 'int32' | 'int64';

/** Undefined for text that is not a number of the type, and for hexadecimal ones and integers beyond 2^53. */
export function parseNumber(text: string, dtype: NumberType): number | undefined {
  const value = Number(text);
  const isFloat = dtype === 'float32' || dtype === 'float64';
  const [word, sign, infinity] = (isFloat && WORD.exec(text)) || [];
  if (word !== undefined) return infinity === undefined ? NaN : sign === '-' ? -Infinity : Infinity;
  const fits = isFloat
    ? NUMBER.test(text)
    : /^[\t-\r ]*[+-]?\d+[\t-\r ]*$/.test(text) && Number.isSafeInteger(value);
  return fits && (dtype !== 'int32' || value === Math.trunc(value) >> 0) ? value : undefined;
}

/** @throws {InvalidFeeds} if {@link parseNumber} can't read a text */
const toNumber: TextOperation = ({ node, texts, input }) => {
  const dtype = typeAttr(node, 'out_type', 'float32');
  if (dtype !== 'float32' && dtype !== 'float64' && dtype !== 'int32' && dtype !== 'int64')
    throw unsupported(node, dtype);
  const numbers = texts.of(input(0)).map((bytes) => {
    const text = keyOf(bytes);
    const value = parseNumber(text, dtype);
    if (value === undefined)
      throw new InvalidFeeds(
        `Node ${node.name} (${node.op}): "${text}" is not read as ${dtype} here, nor are hexadecimal numbers and integers beyond 2^53`,
      );
    return value;
  });
  return hostTensorOf(dtype, input(0).shape, numbers);
};

/** The base64 of URLs, with padding or without. */
const BASE64 = /^(?:[\w-]{4})*(?:[\w-]{2}(?:==)?|[\w-]{3}=?)?$/;

const decodeBase64: TextOperation = ({ node, texts, input }) =>
  texts.map(input(0), (bytes) => {
    const text = keyOf(bytes);
    if (!BASE64.test(text)) throw new InvalidFeeds(`Node ${node.name} (${node.op}): this is not base64`);
    return Buffer.from(text, 'base64url');
  });

const encodeBase64: TextOperation = ({ node, texts, input }) => {
  if (boolAttr(node, 'pad')) throw unsupported(node, 'with padding');
  return texts.map(input(0), (bytes) => Buffer.from(Buffer.from(bytes).toString('base64url')));
};

/** Operations on one text after the other. */
export const STRINGS: Readonly<Record<string, TextOperation>> = {
  StringLower: cased(0x41, 32),
  StringUpper: cased(0x61, -32),
  StringStrip: strip,
  StringJoin: join,
  StringLength: lengthOf,
  StringToHashBucketFast: (scope) => buckets(scope, fingerprint64),
  StringToHashBucketStrong: strong,
  AsString: asString,
  StringToNumber: toNumber,
  DecodeBase64: decodeBase64,
  EncodeBase64: encodeBase64,
};

/** Operations that are the host's only if they work on strings. */
export const OF_STRINGS: Readonly<Record<string, TextOperation>> = {
  Equal: equal(true),
  NotEqual: equal(false),
  Tile: tile,
};
