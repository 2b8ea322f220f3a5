import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import * as z from 'zod';
import { unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { planJson } from '../../../src/app/records/plan.ts';
import { keepArchive } from '../../../src/app/run/keep-archive.ts';
import { parseS3Uri } from '../../../src/text/s3-uri.ts';
import { PARTS } from '../../../test/support/drop-fixture.ts';
import { packedTar } from '../../../test/support/packed-tar.ts';
import { normal, random } from '../../../test/support/random.ts';
import { frozenFiles, planWithTars } from '../../../test/support/tar-drop.ts';
import { BUILD, ROOT } from '../build-folder.ts';
import { residualNetwork } from './residual-network.ts';

/** The settings that all sides keep to: pixels times `scale`, of images that have the network's size. */
const Pipeline = z.looseObject({
  model: z.looseObject({
    images: z.looseObject({ scale: z.number(), mean: z.literal(0), std: z.literal(1) }),
  }),
});

/** A model and images on which engine lambda and its peers are compared. */
export interface Subject {
  readonly title: string;
  /** `model.tar.gz` or `model.onnx` with `pipeline.json`, and the images, each with its format as suffix. */
  readonly make: () => Promise<{ readonly folder: string; readonly images: readonly string[] }>;
}

const EXAMPLE = path.join(ROOT, 'examples', 'onnx-fashion-mnist');
const SIDE = 224;
const PHOTOGRAPHS = 50;
const CLASSES = 1_000;

/** The subjects by name. */
export const SUBJECTS = {
  small: {
    title: 'PNG of 28 × 28 pixels, examples/onnx-fashion-mnist',
    make: async () => {
      const images = path.join(ROOT, 'examples', 'fashion-mnist', 'images');
      return {
        folder: EXAMPLE,
        images: readdirSync(images)
          .sort()
          .map((name) => path.join(images, name)),
      };
    },
  },
  photographs: {
    title: `JPEG of ${SIDE} × ${SIDE} pixels, a ResNet-18 of random weights`,
    make: makePhotographs,
  },
} satisfies Record<string, Subject>;
/** Name of a subject. */
export type SubjectName = keyof typeof SUBJECTS;

async function makePhotographs(): ReturnType<Subject['make']> {
  const folder = path.join(BUILD, 'photographs');
  const images = path.join(folder, 'images');
  if (!existsSync(folder)) {
    await whole(folder, async (making) => {
      mkdirSync(path.join(making, 'images'));
      const next = random(3);
      for (let at = 0; at < PHOTOGRAPHS; at++)
        writeFileSync(path.join(making, 'images', `${at}.jpg`), await photograph(next));
      writeFileSync(
        path.join(making, 'model.tar.gz'),
        await modelArchive({ 'model.onnx': Buffer.from(residualNetwork(SIDE, CLASSES)) }),
      );
      const { model } = Pipeline.parse(JSON.parse(readFileSync(path.join(EXAMPLE, 'pipeline.json'), 'utf8')));
      const classes = Array.from({ length: CLASSES }, (_, id) => `class ${id}`);
      writeFileSync(path.join(making, 'pipeline.json'), JSON.stringify({ model, labels: { classes } }));
    });
  }
  return {
    folder,
    images: readdirSync(images)
      .sort()
      .map((name) => path.join(images, name)),
  };
}

/** Coarse noise made smooth, with grain: neighboring pixels are alike, as in photographs. */
async function photograph(next: () => number): Promise<Buffer> {
  const coarse = Buffer.from(Array.from({ length: 8 * 8 * 3 }, () => Math.floor(256 * next())));
  const { data } = await sharp(coarse, { raw: { width: 8, height: 8, channels: 3 } })
    .resize(SIDE, SIDE, { kernel: 'cubic' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at++)
    data[at] = Math.max(0, Math.min(255, (data[at] ?? 0) + 6 * normal(next)));
  return sharp(data, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer();
}

/**
 * The folder that the programs of all sides are given: it has `files/`, `model/model.onnx`, `scale`, and `bucket/` with the
 * planned run.
 */
export async function prepared(name: SubjectName, count: number): Promise<string> {
  const folder = path.join(BUILD, `${name}-${count}`);
  // Plans follow the code: one of an earlier build would be refused.
  rmSync(folder, { recursive: true, force: true });
  const { folder: from, images } = await SUBJECTS[name].make();
  await whole(folder, async (making) => {
    const pipeline = Pipeline.parse(JSON.parse(readFileSync(path.join(from, 'pipeline.json'), 'utf8')));
    const archive = readFileSync(path.join(from, 'model.tar.gz'));
    const members = Array.from({ length: count }, (_, at) => {
      const file = images[at % images.length] ?? '';
      return [`${String(at).padStart(7, '0')}${path.extname(file)}`, readFileSync(file)] as const;
    });
    mkdirSync(path.join(making, 'files'));
    for (const [member, body] of members) writeFileSync(path.join(making, 'files', member), body);
    writeFileSync(path.join(making, 'scale'), String(pipeline.model.images.scale));
    const store = await frozenFiles(
      { 'images.tar': await packedTar(members) },
      {
        archive,
        pipeline: {
          ...pipeline,
          // Members have numbers for names, and no labels.
          gate: null,
          endpoint: { deploy: 'never' },
          // All inputs in one list of bundles.
          limits: { pilot: 0 },
          transform: { contentType: 'application/x-image', engine: 'lambda', maxConcurrency: 1 },
        },
      },
    );
    await planWithTars(store);
    const { model } = await planJson(PARTS).require(store);
    const { bucket = '', key = '' } = parseS3Uri(model.artifact) ?? {};
    await keepArchive(store, model.sha256, { bucket, key, etag: model.artifactEtag });
    for (const stored of store.keys()) {
      const file = path.join(making, 'bucket', stored);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, (await store.readBytes(stored)) ?? '');
    }
    const unpacked = path.join(making, 'model');
    mkdirSync(unpacked);
    await unpackModelArchive(Readable.from([archive]), unpacked);
  });
  return folder;
}

/** Makes a folder that is whole, or isn't there. */
async function whole(folder: string, make: (making: string) => Promise<void>): Promise<void> {
  const making = `${folder}.part`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  await make(making);
  renameSync(making, folder);
}
