// Decodes what compare_images.py has written, and prints an answer for each of its calls, a line a file:
//
//     node decode-images.ts FOLDER    reads FOLDER/index.json, a list of {file, calls}
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodedAs, type DecoderCall } from '../../test/support/image-cases.ts';

const folder = process.argv[2] ?? '';
const index: readonly { readonly file: string; readonly calls: readonly DecoderCall[] }[] = JSON.parse(
  readFileSync(join(folder, 'index.json'), 'utf8'),
);
for (const { file, calls } of index) {
  const bytes = readFileSync(join(folder, file));
  process.stdout.write(`${JSON.stringify(calls.map((call) => decodedAs(bytes, call)))}\n`);
}
