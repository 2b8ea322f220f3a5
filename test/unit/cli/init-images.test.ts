import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { encodePng } from '@inferdrop/image/encode-png';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { Refusal } from '../../../src/cli/refusal.ts';
import { preprocessings } from '../../../src/init/preprocessings.ts';
import { linearOnnx, type Picture, pictures, SIDE, trained } from '../../support/linear-network.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { softmaxOnnx } from '../../support/softmax-onnx.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WAYS = preprocessings({ height: SIDE, width: SIDE, channels: 3 });
const way = (scale: string, order: string) =>
  WAYS.find((one) => one.scale === scale && one.images.order === order)!.images;

/** A folder with net.onnx, trained with one way of preparing images, and these files next to it. */
function network(images = way('0 to 1', 'BGR'), beside: Record<string, string> = {}): string {
  const folder = temporaryFolder('network-');
  const file = path.join(folder, 'net.onnx');
  writeFileSync(file, linearOnnx(trained(images, 1)));
  for (const [name, text] of Object.entries(beside)) writeFileSync(path.join(folder, name), text);
  return file;
}

function labeled(of: readonly Picture[]): string {
  const folder = path.join(temporaryFolder('pictures-'), 'pictures');
  for (const [at, { label, file }] of of.entries()) {
    mkdirSync(path.join(folder, label), { recursive: true });
    writeFileSync(path.join(folder, label, `${at}.png`), file);
  }
  return folder;
}

async function init(model: string, ...args: string[]) {
  const output = path.join(temporaryFolder('made-'), 'pipeline');
  const terminal = silentTerminal();
  const code = await runCommandLine(
    ['init', model, ...args, '--yes', '--output', output, '--name', 'made'],
    terminal,
  ).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    terminal.note(error.message);
    return 1;
  });
  const places = [output, path.dirname(model), ...args.filter((one) => existsSync(one))];
  const text = places.reduce(
    (said, place) => said.replaceAll(place, path.basename(place)),
    terminal.lines.join('\n'),
  );
  const written: unknown =
    code === 0 ? JSON.parse(readFileSync(path.join(output, 'pipeline.json'), 'utf8')) : undefined;
  return {
    code,
    config: written as { model: { images: object } } | undefined,
    text: text.replaceAll(/network-\w+/g, 'model'),
  };
}

test('labeled images show scale and order of the channels, and model.images says them', async () => {
  const made = await init(network(), labeled(pictures(60, 7)));
  expect(made.code).toBe(0);
  expect(made.config?.model.images).toMatchObject({ scale: 1 / 255, mean: 0, std: 1, order: 'BGR' });
  await expect(made.text).toMatchFileSnapshot('../../golden/init/pixels-found.txt');
});

test('a way that too few labels make likely is proposed, and images.json takes it', async () => {
  const files = labeled(pictures(16, 7));
  const proposed = await init(network(), files);
  expect(proposed.code).toBe(1);
  await expect(proposed.text).toMatchFileSnapshot('../../golden/init/pixels-proposed.txt');
  const settings = /\{"scale".*?\}/.exec(proposed.text)![0];
  const made = await init(
    network(undefined, { 'images.json': settings }),
    files,
    '--classes',
    'brick,grass,sky,stone',
  );
  expect(made.config?.model.images).toEqual(JSON.parse(settings));
  expect(made.text).toContain('as model/images.json says');
});

test('none of the ways fits classes in another order', async () => {
  const made = await init(network(), labeled(pictures(60, 7)), '--classes', 'stone,brick,grass,sky');
  expect(made.code).toBe(1);
  await expect(made.text).toMatchFileSnapshot('../../golden/init/pixels-none.txt');
});

test('without labels nothing shows it, whatever the answers are', async () => {
  const unlabeled = labeled(pictures(40, 7).map((one) => ({ ...one, label: '.' })));
  for (const args of [[unlabeled], [], [labeled(pictures(60, 7)), '--truth', 'none']]) {
    const made = await init(network(), ...args, '--classes', 'brick,grass,sky,stone');
    expect(made.code).toBe(1);
    expect(made.text).toContain(
      'nothing shows how model/net.onnx wants the pixels of images: 0 images with a label, 30 are needed',
    );
  }
});

test('gray pictures have no order of channels that could be wrong', async () => {
  const gray = pictures(60, 7).map(({ label }, at) => {
    const level = { brick: 40, grass: 100, sky: 160, stone: 220 }[label]!;
    const data = Uint8Array.from(
      { length: SIDE * SIDE * 3 },
      (_, place) => level + ((Math.floor(place / 3) * (at + 3)) % 29),
    );
    return { label, file: encodePng({ width: SIDE, height: SIDE, channels: 3, data }) };
  });
  const made = await init(network(), labeled(gray));
  expect(made.text).not.toContain('BGR');
});

test('images of two sizes that a network of one channel takes', async () => {
  const file = path.join(temporaryFolder('network-'), 'gray.onnx');
  writeFileSync(file, softmaxOnnx(4, [1, 2, 2]));
  const made = await init(file, labeled(pictures(60, 7)));
  expect(made.text).toContain('of 9 ways');
});

/** As a processor of Hugging Face is saved. */
const PREPROCESSOR = {
  do_resize: true,
  size: { height: 6, width: 6 },
  resample: 2,
  do_rescale: true,
  rescale_factor: 1 / 255,
  do_normalize: true,
  image_mean: [0, 0, 0],
  image_std: [1, 1, 1],
};

test.each([
  [{ 'images.json': '{"scale": 1}' }, "model/images.json doesn't say how images are prepared"],
  [{ 'images.json': 'scale: 1' }, "model/images.json doesn't say how images are prepared"],
  [
    { 'images.json': '{"scale":1,"mean":[1,2],"std":1,"resize":"stretch"}' },
    'the network takes 3 channels, and model/images.json names [1,2]: give one number, or one a channel',
  ],
  [
    { 'images.json': '{"scale":1,"mean":0,"std":[1,0,1],"resize":"stretch"}' },
    'the network divides pixels by 0: model/images.json has a std of 0',
  ],
  [
    { 'images.json': '{"scale":1,"mean":0,"std":1,"resize":3}' },
    'the network takes 6 x 6 pixels, and model/images.json has the resize 3: set it to 6 or more',
  ],
  [
    { 'preprocessor_config.json': JSON.stringify({ ...PREPROCESSOR, do_pad: true }) },
    "pixels  model/preprocessor_config.json isn't followed: it has do_pad true, which",
  ],
])('%j is refused, or said', async (beside, said) => {
  const made = await init(network(undefined, beside), labeled(pictures(16, 7)));
  expect(made).toMatchObject({ code: 1, text: expect.stringContaining(said) as string });
});

test('a preprocessor_config.json decides without labels', async () => {
  const cut = { do_center_crop: true, crop_size: { height: 6, width: 6 } };
  const config = JSON.stringify({ ...PREPROCESSOR, size: { shortest_edge: 8 }, ...cut });
  const made = await init(
    network(undefined, { 'preprocessor_config.json': config }),
    ...['--classes', 'brick,grass,sky,stone'],
  );
  expect(made.config?.model.images).toEqual({
    scale: 1 / 255,
    mean: [0, 0, 0],
    std: [1, 1, 1],
    resize: 8,
    resample: 'bilinear',
    order: 'RGB',
  });
});
