import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Choice, choice, rowChoices } from '../../init/choice.ts';
import { Refusal } from '../refusal.ts';
import { ROOT } from '../root-folder.ts';
import type { Known } from './known.ts';
import { type ChosenRequests, onnxRequests } from './onnx-requests.ts';
import { torchRequests } from './torch-requests.ts';

/** A handler for image files that a SavedModel's signature decodes. */
const IMAGE_HANDLER = path.join(ROOT, 'src', 'cli', 'init', 'image_handler.py');
/** A handler that answers rows of CSV with rows of CSV: without it, the container answers JSON, which isn't joined with a record. */
const ROW_HANDLER = path.join(ROOT, 'src', 'cli', 'init', 'row_handler.py');

/**
 * Chooses how files are sent: as they are, or as rows.
 *
 * @throws {Refusal} if the model can't take such files, with the remedy
 */
export async function chooseRequests(known: Known): Promise<ChosenRequests> {
  const { options, model, inputs, decide } = known;
  const { served, hasHandler } = model;
  const contentType = (value: string, reason: string): Choice =>
    choice('transform.contentType', value, reason);
  if (options.contentType !== undefined)
    return { choices: [contentType(options.contentType, 'as --content-type says')], handler: undefined };
  if (model.onnx !== undefined && !hasHandler) return onnxRequests(known, model.onnx);
  if (hasHandler || served === undefined) {
    if (!hasHandler && inputs?.imageType !== undefined) {
      if (!model.isPacked) return torchRequests(known);
      throw new Refusal(
        `the files of ${options.folder ?? ''} are images, which the PyTorch container does not decode on its own: ` +
          'give the TorchScript file itself, or an archive with an inference.py that decodes them in input_fn',
      );
    }
    if (!hasHandler && inputs?.table !== undefined)
      throw new Refusal(
        `the files of ${options.folder ?? ''} are rows, and the PyTorch container makes a vector of one row, not a ` +
          'batch: give --code with an inference.py that makes one in input_fn (docs/handlers.md), or an ONNX file of ' +
          'the model (torch.onnx.export)',
      );
    return { choices: await sentAsFiles(), handler: undefined };
  }
  const { requests, signature } = served;
  const takes = signature.inputs
    .map(({ name, dtype, shape }) => `${name}: ${dtype} [${shape?.join(', ') ?? '?'}]`)
    .join('; ');
  switch (requests.kind) {
    case 'images':
      if (inputs !== undefined && inputs.imageType === undefined)
        throw new Refusal(
          `${options.model} decodes images, and some files of ${options.folder ?? ''} are not images: give a folder of images`,
        );
      return {
        choices: [
          contentType(
            'application/x-image',
            'the signature decodes image files; code/inference.py sends them as they are',
          ),
        ],
        handler: await scriptOf(IMAGE_HANDLER),
      };
    case 'rows':
      if (inputs !== undefined && inputs.table === undefined)
        throw new Refusal(
          `${options.model} takes rows of ${requests.cells} numbers (${takes}): give a folder of tables (CSV, JSON ` +
            'Lines, a JSON list, Parquet), or --code with a handler for others (docs/handlers.md)',
        );
      return {
        choices: rowChoices(
          `the signature takes rows of ${requests.cells} numbers`,
          'code/inference.py answers',
        ),
        handler: await scriptOf(ROW_HANDLER),
      };
    default:
      throw new Refusal(
        `${options.model} takes ${takes}, and no request of a container is made of such files automatically: give ` +
          '--code with a handler (docs/handlers.md)',
      );
  }

  async function scriptOf(file: string): Promise<ChosenRequests['handler']> {
    return { 'inference.py': await readFile(file, 'utf8') };
  }

  async function sentAsFiles(): Promise<readonly Choice[]> {
    if (inputs?.table !== undefined) return rowChoices('the files are rows', 'the handler must answer');
    if (inputs?.imageType !== undefined)
      return [contentType('application/x-image', 'the files are images, which the handler decodes')];
    const answer = await decide({
      text: 'Content type that the handler takes',
      option: '--content-type TYPE',
    });
    return [contentType(answer, 'as the handler takes it')];
  }
}
