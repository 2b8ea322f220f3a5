import { PNG } from 'pngjs';
import { loadModel } from '@inferdrop/savedmodel/load-model';
import { InferenceSession, Tensor } from '../../../packages/savedmodel/engine/onnxruntime.ts';
import { runHostStage } from '../../../packages/savedmodel/host/run-host-stage.ts';
import type { Subject } from './subject.ts';

const BATCH = 8;

/**
 * The obvious program: one thread, pngjs decodes, onnxruntime runs batches of 8. The network is what follows
 * the decoding in the SavedModel.
 *
 * @throws {Error} if the model does more to an image than to decode it
 */
export async function bareLoop({ versionDir, images }: Subject): Promise<() => Promise<void>> {
  const { onnx, before, cuts, hostInputs } = loadModel(versionDir).convert('serving_default');
  const [tensor] = hostInputs.values();
  const [first = Buffer.of()] = images;
  if (tensor === undefined || onnx === undefined)
    throw new Error(`${versionDir}: the model takes no encoded images`);
  const feeds = new Map([[tensor, { dtype: 'string', shape: [1], data: [first] } as const]]);
  const [decoded] = runHostStage(
    before,
    feeds,
    cuts.map(({ ref }) => ref),
  ).values();
  const [, height = 0, width = 0, channels = 0] = decoded?.shape ?? [];
  const png = PNG.sync.read(first);
  if (decoded?.dtype !== 'float32' || png.width !== width || png.height !== height) {
    throw new Error(
      `${versionDir}: images are resized or scaled while they are decoded, which the loop does not`,
    );
  }
  const session = await InferenceSession.create(onnx, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const [input = ''] = session.inputNames;
  const size = width * height * channels;
  return async () => {
    for (let start = 0; start < images.length; start += BATCH) {
      const batch = images.slice(start, start + BATCH);
      const values = new Float32Array(batch.length * size);
      batch.forEach((file, index) => {
        const { data } = PNG.sync.read(file);
        for (let pixel = 0; pixel < width * height; pixel++) {
          for (let channel = 0; channel < channels; channel++)
            values[index * size + pixel * channels + channel] = data[pixel * 4 + channel] ?? 0;
        }
      });
      await session.run({ [input]: new Tensor('float32', values, [batch.length, height, width, channels]) });
    }
  };
}
