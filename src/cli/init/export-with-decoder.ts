import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { describeEngine } from '@inferdrop/model-container/internal/engine-environment';
import { runTool } from '@inferdrop/model-container/internal/run-tool';
import type { ImageSettings } from '../../frameworks/onnx/image-settings.ts';
import type { ImageSize } from '../../init/preprocessings.ts';
import { Refusal } from '../refusal.ts';
import { ROOT } from '../root-folder.ts';

const SCRIPT = path.join(ROOT, 'src', 'cli', 'init', 'export_with_decoder.py');

/** Where a script of TensorFlow runs, and where it writes. */
export interface Exporting {
  /** Folder for new ones. */
  readonly scratch: string;
  /** Python with TensorFlow, if not the one that inferdrop installs. */
  readonly python: string | undefined;
  /** Layers that scale pixels in the network, such as Rescaling; undefined if they can't be seen. */
  readonly scaling?: readonly string[] | undefined;
}

/** Exports a SavedModel of pixels with a signature that takes image files of any size. @throws {Refusal} */
export async function exportWithDecoder(
  model: string,
  { images, size: { height, width } }: { readonly images: ImageSettings; readonly size: ImageSize },
  { scratch, python }: Exporting,
): Promise<string> {
  const folder = path.join(await mkdtemp(path.join(scratch, 'export-')), '1');
  const args = [`--images=${JSON.stringify(images)}`, `--size=${height}x${width}`];
  await runScript([model, folder, ...args], python);
  return folder;
}

async function runScript(args: readonly string[], own: string | undefined): Promise<string> {
  const { installed, python, cost } = describeEngine('tensorflow');
  const [model = ''] = args;
  if (own === undefined && !installed)
    throw new Refusal(
      `${model} needs TensorFlow to be exported with a decoder: run "inferdrop containers install tensorflow" ` +
        `(${cost}), then this again, or give a Python that has it with --python PATH`,
    );
  const { code, output } = await runTool(own ?? python, [SCRIPT, ...args], {
    environment: { TF_CPP_MIN_LOG_LEVEL: '2', CUDA_VISIBLE_DEVICES: '-1' },
  });
  if (code !== 0) throw new Refusal(`TensorFlow could not export ${model}:\n${output}`);
  return output;
}
