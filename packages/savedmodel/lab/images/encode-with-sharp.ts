// Encodes with sharp's own libraries (libjpeg-turbo, mozjpeg, libwebp) what compare_images.py has drawn:
//
//     node encode-with-sharp.ts FOLDER    reads FOLDER/requests.json, a list of {source, target, options}
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type JpegOptions } from 'sharp';

interface Request {
  readonly source: string;
  readonly target: string;
  readonly options: JpegOptions & { readonly gray: boolean };
}

const folder = process.argv[2] ?? '';
const requests: readonly Request[] = JSON.parse(readFileSync(join(folder, 'requests.json'), 'utf8'));
for (const { source, target, options } of requests) {
  const { gray, ...jpeg } = options;
  await sharp(join(folder, source))
    .toColourspace(gray ? 'b-w' : 'srgb')
    .jpeg(jpeg)
    .toFile(join(folder, target));
}
