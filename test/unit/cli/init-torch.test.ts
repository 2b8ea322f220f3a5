import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { Refusal } from '../../../src/cli/refusal.ts';
import { preprocessings } from '../../../src/init/preprocessings.ts';
import { pictures, SIDE, trained } from '../../support/linear-network.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MODEL = path.resolve(import.meta.dirname, '..', '..', 'fixtures', 'torchscript', 'eval.pt');
const WAYS = preprocessings({ height: SIDE, width: SIDE, channels: 3 });

/** A program in the place of Python, which says its channels and its scores as the script does, or fails. */
function python(program: string): string {
  const file = path.join(temporaryFolder('python-'), 'python');
  writeFileSync(file, `#!${process.execPath}\n${program}`);
  chmodSync(file, 0o755);
  return file;
}

/** Logits of a network that was trained with one way of preparing images. */
function network({ weights, biases } = trained(WAYS[7]!.images, 1)): string {
  return python(`
    const [weights, biases] = ${JSON.stringify([weights, biases])};
    let kept = Buffer.alloc(0);
    console.log(3, biases.length);
    process.stdin.on('data', (chunk) => {
      kept = Buffer.concat([kept, chunk]);
      for (const bytes = 4 * weights[0].length; kept.length >= bytes; kept = kept.subarray(bytes)) {
        const pixels = Array.from({ length: weights[0].length }, (_, at) => kept.readFloatLE(4 * at));
        console.log(...weights.map((row, of) => row.reduce((sum, one, at) => sum + one * pixels[at], biases[of])));
      }
    });
  `);
}

function labeled(of: ReturnType<typeof pictures>): string {
  const made = path.join(temporaryFolder('pictures-'), 'pictures');
  for (const [at, { label, file }] of of.entries()) {
    mkdirSync(path.join(made, label), { recursive: true });
    writeFileSync(path.join(made, label, `${at}.png`), file);
  }
  return made;
}

const all = labeled(pictures(60, 7));
const init = (...args: string[]) => initModel(MODEL, all, ...args);

async function initModel(model: string, folder: string, ...args: string[]) {
  const output = path.join(temporaryFolder('made-'), 'pipeline');
  const terminal = silentTerminal();
  const code = await runCommandLine(
    ['init', model, folder, ...args, '--yes', '--output', output, '--name', 'made'],
    terminal,
  ).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    terminal.note(error.message);
    return 1;
  });
  const read = (name: string) => readFileSync(path.join(output, name), 'utf8');
  return { code, read, text: terminal.lines.join('\n') };
}

test('images of a TorchScript network are prepared by an input_fn that is written, as labels show', async () => {
  const made = await init('--python', network(), '--size', `${SIDE}x${SIDE}`);
  expect(made.text).toContain('code/inference.py prepares images as code/images.json says: 0 to 1');
  expect(made.code).toBe(0);
  expect(JSON.parse(made.read('code/images.json'))).toMatchObject({
    scale: 1 / 255,
    order: 'BGR',
    height: SIDE,
    width: SIDE,
    channels: 3,
  });
  expect(made.read('code/inference.py')).toContain('def input_fn(');
  expect(JSON.parse(made.read('pipeline.json'))).toMatchObject({
    model: { framework: 'pytorch' },
    transform: { contentType: 'application/x-image' },
    // Order and scores are measured, too.
    labels: { classes: ['brick', 'grass', 'sky', 'stone'], scores: 'logits' },
  });
});

test('one score is the logit of the second class', async () => {
  const { weights, biases } = trained(WAYS[7]!.images, 1);
  const [brick = [], , sky = []] = weights;
  const single = {
    weights: [sky.map((one, at) => one - brick[at]!)],
    biases: [biases[2]! - biases[0]!],
  };
  const two = labeled(pictures(160, 7).filter(({ label }) => label === 'brick' || label === 'sky'));
  const model = path.join(temporaryFolder('network-'), 'net.pt');
  copyFileSync(MODEL, model);
  writeFileSync(path.join(path.dirname(model), 'images.json'), JSON.stringify(WAYS[7]!.images));
  const made = await initModel(model, two, '--python', network(single), '--size', `${SIDE}x${SIDE}`);
  expect(JSON.parse(made.read('pipeline.json'))).toMatchObject({
    labels: { classes: ['brick', 'sky'], scores: 'logits', threshold: 0.5 },
  });
});

test.each([
  ['console.error("no module named torch"); process.exitCode = 1;', 'no module named torch'],
  ['console.log(4, 2);', 'takes 4 channels, and an image has 1 or 3'],
])('a Python that fails, or a network of no images: %s', async (program, said) => {
  const made = await init('--python', python(program), '--size', '6x6');
  expect(made).toMatchObject({ code: 1, text: expect.stringContaining(said) as string });
});

test('what is missing is named: PyTorch, or the size of the images', async () => {
  vi.stubEnv('INFERDROP_CACHE', temporaryFolder('cache-'));
  expect(await init()).toMatchObject({
    code: 1,
    text: expect.stringContaining('run "inferdrop containers install pytorch" (') as string,
  });
  expect(await init('--python', '/none/python')).toMatchObject({
    code: 1,
    text: expect.stringContaining('answer with --size HEIGHTxWIDTH') as string,
  });
  expect(await init('--python', '/none/python', '--size', '6x6')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/PyTorch could not run .*eval\.pt: spawn \/none\/python ENOENT/) as string,
  });
});
