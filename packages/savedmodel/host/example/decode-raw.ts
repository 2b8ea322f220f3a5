import { tensorOfBytes } from '../../savedmodel/dense-tensor.ts';
import { elementSizeBytes } from '../../savedmodel/element-type.ts';
import { boolAttr, typeAttr, unsupported } from '../../savedmodel/graph-node.ts';
import { InvalidFeeds } from '../../savedmodel/servable-model.ts';
import { hostTensorOf, isExactOnHost, toHostTensor } from '../host-tensor.ts';
import type { TextOperation } from '../text/text-operation.ts';

/** Bytes as numbers. https://www.tensorflow.org/api_docs/python/tf/io/decode_raw */
const decodeRaw: TextOperation = ({ node, texts, input }) => {
  const where = `Node ${node.name} (${node.op})`;
  const dtype = typeAttr(node, 'out_type');
  if (dtype === 'string' || dtype === 'float16') throw unsupported(node, dtype);
  const given = texts.of(input(0));
  const [{ length } = { length: 0 }] = given;
  const size = elementSizeBytes(dtype);
  if (given.some((bytes) => bytes.length !== length))
    throw new InvalidFeeds(`${where}: the texts differ in length`);
  if (length % size !== 0)
    throw new InvalidFeeds(`${where}: ${length} bytes are not a multiple of the ${size} of ${dtype}`);
  const shape = [...input(0).shape, length / size];
  if (length === 0) return hostTensorOf(dtype, shape, []);
  const bytes = Buffer.concat(given);
  if (!boolAttr(node, 'little_endian', true)) {
    for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
  }
  const decoded = tensorOfBytes(dtype, shape, bytes, where);
  if (!isExactOnHost(decoded)) throw new InvalidFeeds(`${where}: integers beyond 2^53`);
  return toHostTensor(decoded);
};

/** Operations that read the bytes of texts as numbers. */
export const RAW: Readonly<Record<string, TextOperation>> = { DecodeRaw: decodeRaw };
