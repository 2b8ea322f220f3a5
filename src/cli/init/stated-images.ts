import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { ImageSettings, imagesProblem } from '../../frameworks/onnx/image-settings.ts';
import type { ImageSize } from '../../init/preprocessings.ts';
import { imageSettings } from '../../models/huggingface/image-settings.ts';
import { parsedJson } from '../../text/parse-json.ts';
import { readFailure } from '../files/file-problem.ts';
import { Refusal } from '../refusal.ts';
import type { Terminal } from '../show/terminal.ts';
import { isThere } from './is-there.ts';

/** Reads the file that states how images are prepared, in the form of `model.images`, or Hugging Face's. */
const READERS: Readonly<Record<string, (document: unknown) => ImageSettings | { readonly refused: string }>> =
  {
    'images.json': (document) => {
      const read = ImageSettings.safeParse(document);
      return read.success ? read.data : { refused: z.prettifyError(read.error) };
    },
    'preprocessor_config.json': imageSettings,
  };

/** Names of these files. */
export const STATING_FILES: readonly string[] = Object.keys(READERS);

/**
 * How a file in the model's folder, or next to the model, says that images are prepared; undefined if there's none that can be followed.
 *
 * @throws {Refusal} for an images.json that is wrong, or that the network can't take
 */
export async function statedImages(
  model: string,
  size: ImageSize,
  terminal: Terminal,
): Promise<{ readonly images: ImageSettings; readonly reason: string } | undefined> {
  const places = [model, path.dirname(model)].flatMap((folder) =>
    Object.entries(READERS).map(([name, read]) => ({ file: path.join(folder, name), read })),
  );
  for (const { file, read } of places) {
    if (!(await isThere(file))) continue;
    const text = await readFile(file, 'utf8').catch((error: unknown): never => {
      throw new Refusal(`${file} cannot be read: ${readFailure(error)}`);
    });
    const found = read(parsedJson(text));
    if (!('refused' in found)) {
      const wrong = imagesProblem(found, size, file);
      if (wrong !== undefined) throw new Refusal(`the network ${wrong}`);
      return { images: found, reason: `as ${file} says` };
    }
    if (file.endsWith('images.json'))
      throw new Refusal(`${file} doesn't say how images are prepared: ${found.refused}`);
    terminal.note(`pixels  ${file} isn't followed: it ${found.refused}`);
  }
  return undefined;
}
