/**
 * Runs one signature of a SavedModel on the local engine, for scripts in other languages that compare.
 *
 *     node packages/savedmodel/lab/engine-predict.ts VERSION_DIR FOLDER
 *
 * FOLDER holds request.json: `{"signature", "feeds": {name: {"dtype": "float32", "shape", "file"}}}`, or for strings
 * `{"dtype": "string", "shape", "files": [one a string]}`. Each output is written to FOLDER/<name>.out as raw
 * little-endian elements, and described on stdout: `{name: {"dtype", "shape"}}`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { loadSavedModel } from '../engine/load-saved-model.ts';
import { bytesOfTensor, tensorOfBytes } from '../savedmodel/dense-tensor.ts';
import type { Tensor } from '../savedmodel/servable-model.ts';

const Feed = z.union([
  z.object({
    dtype: z.enum(['float32', 'uint8', 'int32', 'int64']),
    shape: z.array(z.int()),
    file: z.string(),
  }),
  z.object({ dtype: z.literal('string'), shape: z.array(z.int()), files: z.array(z.string()) }),
]);
const Request = z.object({ signature: z.string(), feeds: z.record(z.string(), Feed) });

const [versionDir = '', folder = ''] = process.argv.slice(2);
const request = Request.parse(JSON.parse(readFileSync(join(folder, 'request.json'), 'utf8')));

function toTensor(feed: z.infer<typeof Feed>): Tensor {
  if (feed.dtype === 'string') {
    return { dtype: 'string', shape: feed.shape, data: feed.files.map((file) => readFileSync(file)) };
  }
  return tensorOfBytes(feed.dtype, feed.shape, readFileSync(join(folder, feed.file)), feed.file);
}

const model = await loadSavedModel(versionDir, { workers: 1 });
const feeds = new Map(Object.entries(request.feeds).map(([name, feed]) => [name, toTensor(feed)]));
const outputs = await model.run(request.signature, feeds);
const described: Record<string, { dtype: string; shape: readonly number[] }> = {};
for (const [name, tensor] of outputs) {
  if (tensor.dtype === 'string') throw new TypeError(`Output ${name} is of strings`);
  writeFileSync(join(folder, `${name}.out`), bytesOfTensor(tensor));
  described[name] = { dtype: tensor.dtype, shape: tensor.shape };
}
process.stdout.write(JSON.stringify(described));
await model.close();
