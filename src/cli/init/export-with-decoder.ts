import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { describeEngine } from '@inferdrop/model-container/internal/engine-environment';
import { runTool } from '@inferdrop/model-container/internal/run-tool';
import { Refusal } from '../refusal.ts';
import { ROOT } from '../root-folder.ts';

/** Pixels that a network was trained on, by what 0 to 255 become: `imagenet` are the means and deviations of torchvision's networks. */
export const PIXELS = ['0-255', '0-1', '-1-1', 'imagenet'] as const;
/** One of them. */
export type Pixels = (typeof PIXELS)[number];

/**
 * Pixels that images with this many channels can become.
 *
 * @throws {Refusal} if the requested ones aren't among them
 */
export function pixelsOf(channels: number, asked: Pixels | undefined): readonly Pixels[] {
  const all = PIXELS.filter((one) => one !== 'imagenet' || channels === 3);
  if (asked !== undefined && !all.includes(asked))
    throw new Refusal(`--pixels ${asked} is for 3 channels, and the network takes ${channels}`);
  return all;
}

const SCRIPT = path.join(ROOT, 'src', 'cli', 'init', 'export_with_decoder.py');

/** The line that the script prints of an image network. */
const Facts = z.object({
  /** Batch, height, width, channels; null is any size. */
  shape: z.array(z.number().nullable()),
  /** Layers that scale pixels, such as Rescaling. */
  scaling: z.array(z.string()),
});
/** Facts of an image network. */
export type ImageNetwork = z.infer<typeof Facts>;

/**
 * Reads the input of a network of images in TensorFlow.
 *
 * @throws {Refusal} if TensorFlow is not installed, or cannot load it
 */
export async function readImageNetwork(model: string): Promise<ImageNetwork> {
  const output = await runScript(['facts', model]);
  const line = output.split('\n').findLast((one) => one.startsWith('{')) ?? '';
  return Facts.parse(JSON.parse(line));
}

/**
 * Exports the network with a signature that takes image files of any size, into a folder of its own below `into`.
 *
 * @param size height and width, `224x224`; undefined for the network's own
 */
export async function exportWithDecoder(
  model: string,
  into: string,
  { pixels, size }: { readonly pixels: Pixels; readonly size: string | undefined },
): Promise<string> {
  const folder = path.join(await mkdtemp(path.join(into, 'export-')), '1');
  await runScript([
    ...['export', model, folder, `--pixels=${pixels}`],
    ...(size === undefined ? [] : [`--size=${size}`]),
  ]);
  return folder;
}

async function runScript(args: readonly string[]): Promise<string> {
  const engine = describeEngine('tensorflow');
  if (!engine.installed)
    throw new Refusal(
      `${args[1] ?? ''} needs TensorFlow to be exported with a decoder: run "inferdrop containers install tensorflow" ` +
        `(${engine.cost}), then this again; ` +
        `or where you have TensorFlow, python ${SCRIPT} export ${args[1] ?? ''} exported --pixels=0-255, and give its folder`,
    );
  const { code, output } = await runTool(engine.python, [SCRIPT, ...args], {
    environment: { TF_CPP_MIN_LOG_LEVEL: '2', CUDA_VISIBLE_DEVICES: '-1' },
  });
  if (code !== 0) throw new Refusal(`TensorFlow could not export ${args[1] ?? ''}:\n${output}`);
  return output;
}
