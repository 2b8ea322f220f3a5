import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ByteReader } from '../../model/byte-reader.ts';
import type { ReadOnnx } from '../../model/onnx/onnx-model.ts';
import { readOnnx } from '../../model/onnx/read-onnx.ts';
import type { FileBody } from '../../model/wire-format.ts';

/** Reads an ONNX file of this machine, but for its weights. */
export async function readLocalOnnx(file: string): Promise<ReadOnnx> {
  const stream = createReadStream(file, { highWaterMark: 1_048_576 });
  const bytes = new ByteReader(stream);
  let left = (await stat(file)).size;
  const within = (count: number): boolean => {
    const fits = count <= left;
    if (fits) left -= count;
    return fits;
  };
  const body: FileBody = {
    get left() {
      return left;
    },
    take: async (count) => (within(count) ? bytes.take(count) : undefined),
    skip: async (count) => within(count) && bytes.skip(count),
  };
  try {
    return await readOnnx(body);
  } finally {
    stream.destroy();
  }
}
