import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describeEngine } from '@inferdrop/model-container/internal/engine-environment';
import { choice } from '../../init/choice.ts';
import { Refusal } from '../refusal.ts';
import { ROOT } from '../root-folder.ts';
import { chooseImages } from './choose-images.ts';
import { askSize } from './image-size.ts';
import type { Known } from './known.ts';
import type { ChosenRequests } from './onnx-requests.ts';
import { measurableImages } from './pixel-network.ts';
import { torchNetwork } from './torch-network.ts';

/** A handler whose `input_fn` prepares images as the file next to it says. */
const HANDLER = path.join(ROOT, 'src', 'cli', 'init', 'image_input.py');

/**
 * Chooses how images are sent to a TorchScript network: by an `input_fn` that is written, which prepares them as labeled images show.
 *
 * @throws {Refusal} if PyTorch isn't installed, or nothing shows how images are prepared
 */
export async function torchRequests(known: Known): Promise<ChosenRequests> {
  const { model: place, python } = known.options;
  const engine = describeEngine('pytorch');
  if (python === undefined && !engine.installed)
    throw new Refusal(
      `${place} takes prepared pixels, and the PyTorch container decodes no images: run "inferdrop containers install ` +
        `pytorch" (${engine.cost}), then this again, and labeled images show how to prepare them; or give a Python ` +
        'that has PyTorch with --python PATH, or --code with an inference.py with an input_fn (docs/handlers.md)',
    );
  known.terminal.status('PyTorch reads the network');
  const network = await torchNetwork(place, python ?? engine.python, await askSize(place, known));
  const { images, reason } = await chooseImages(network, known);
  const settings = { ...images, ...network.size };
  return {
    choices: [
      choice(
        'transform.contentType',
        'application/x-image',
        `code/inference.py prepares images as code/images.json says: ${reason}`,
      ),
    ],
    handler: {
      'inference.py': await readFile(HANDLER, 'utf8'),
      'images.json': `${JSON.stringify(settings, null, 2)}\n`,
    },
    measurable: measurableImages(network, images),
  };
}
