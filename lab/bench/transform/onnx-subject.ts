import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PNG } from 'pngjs';
import * as z from 'zod';
import { unpackModelArchive } from '@inferdrop/model-container/model-archive';
import { InferenceSession, Tensor } from '../../../packages/savedmodel/engine/onnxruntime.ts';

const BATCH = 8;

/** The settings that the loop keeps to: pixels times `scale`, of images that have the network's size. */
const Config = z.looseObject({
  model: z.looseObject({
    images: z.looseObject({ scale: z.number(), mean: z.literal(0), std: z.literal(1) }),
  }),
});

/** An ONNX archive, its pipeline, and the PNG files that are sent to it. */
export interface OnnxSubject {
  readonly config: z.infer<typeof Config>;
  readonly archive: Buffer;
  readonly modelDir: string;
  readonly images: readonly Buffer[];
}

/** Reads `model.tar.gz`, `pipeline.json` and `images/` of a folder; without images those of examples/fashion-mnist, each `repeat` times. */
export async function readOnnxSubject(folder: string, repeat: number): Promise<OnnxSubject> {
  const config = Config.parse(JSON.parse(readFileSync(path.join(folder, 'pipeline.json'), 'utf8')));
  const archive = path.join(folder, 'model.tar.gz');
  const modelDir = await mkdtemp(path.join(tmpdir(), 'inferdrop-bench-'));
  await unpackModelArchive(createReadStream(archive), modelDir);
  const own = path.join(folder, 'images');
  const from = existsSync(own) ? own : path.join('examples', 'fashion-mnist', 'images');
  const once = readdirSync(from)
    .sort()
    .map((name) => readFileSync(path.join(from, name)));
  const images = Array.from({ length: repeat }, () => once).flat();
  return { config, archive: readFileSync(archive), modelDir, images };
}

/** The obvious program: one thread, pngjs decodes, onnxruntime runs batches of 8, and the answers are dropped. */
export async function bareOnnxLoop({ modelDir, images, config }: OnnxSubject): Promise<() => Promise<void>> {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  const session = await InferenceSession.create(path.join(modelDir, 'model.onnx'), options);
  const [input = ''] = session.inputNames;
  const [spec] = session.inputMetadata;
  const [, channels, height, width] = spec?.isTensor === true ? spec.shape.map(Number) : [];
  if (channels === undefined || height === undefined || width === undefined)
    throw new Error(`${modelDir}: the input of the network must be [N, C, H, W]`);
  const { scale } = config.model.images;
  const area = width * height;
  return async () => {
    for (let start = 0; start < images.length; start += BATCH) {
      const batch = images.slice(start, start + BATCH);
      const values = new Float32Array(batch.length * area * channels);
      batch.forEach((file, index) => {
        const png = PNG.sync.read(file);
        if (png.width !== width || png.height !== height)
          throw new Error(`images must have ${width} × ${height} pixels, as the network`);
        for (let pixel = 0; pixel < area; pixel++)
          for (let channel = 0; channel < channels; channel++)
            values[(index * channels + channel) * area + pixel] =
              (png.data[pixel * 4 + channel] ?? 0) * scale;
      });
      await session.run({ [input]: new Tensor('float32', values, [batch.length, channels, height, width]) });
    }
  };
}
