import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PNG } from 'pngjs';
import sharp from 'sharp';
import { InferenceSession, Tensor } from '../../../packages/savedmodel/engine/onnxruntime.ts';

const BATCH = 8;

/** The obvious program: one thread, pngjs or sharp decodes, onnxruntime runs batches of 8, and nothing is written. */
export async function bareLoop(folder: string) {
  const scale = Number(readFileSync(path.join(folder, 'scale'), 'utf8'));
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  const session = await InferenceSession.create(path.join(folder, 'model', 'model.onnx'), options);
  sharp.concurrency(1);
  const [input = ''] = session.inputNames;
  const [output = ''] = session.outputNames;
  const [spec] = session.inputMetadata;
  const [, channels, height, width] = spec?.isTensor === true ? spec.shape.map(Number) : [];
  if (channels === undefined || height === undefined || width === undefined)
    throw new Error(`${folder}: the input of the network must be [N, C, H, W]`);
  const area = width * height;
  const files = path.join(folder, 'files');
  const names = readdirSync(files).sort();
  const kept: Float32Array[] = [];
  for (let start = 0; start < names.length; start += BATCH) {
    const batch = names.slice(start, start + BATCH);
    const values = new Float32Array(batch.length * area * channels);
    for (const [index, name] of batch.entries()) {
      const { data, step } = await decode(readFileSync(path.join(files, name)));
      for (let pixel = 0; pixel < area; pixel++)
        for (let channel = 0; channel < channels; channel++)
          values[(index * channels + channel) * area + pixel] = (data[pixel * step + channel] ?? 0) * scale;
    }
    const { [output]: scores } = await session.run({
      [input]: new Tensor('float32', values, [batch.length, channels, height, width]),
    });
    if (!(scores?.data instanceof Float32Array)) throw new Error('the network must answer float32');
    kept.push(scores.data);
  }
  const rows = kept.flatMap((scores, at) => {
    const count = Math.min(BATCH, names.length - at * BATCH);
    const size = scores.length / count;
    return Array.from({ length: count }, (_, row) => scores.subarray(row * size, (row + 1) * size));
  });
  return { answered: rows.length, answers: () => rows.map((row) => Array.from(row)) };
}

async function decode(file: Buffer): Promise<{ readonly data: Buffer; readonly step: number }> {
  if (file[0] === 0x89) return { data: PNG.sync.read(file).data, step: 4 };
  return { data: await sharp(file).raw().toBuffer(), step: 3 };
}
