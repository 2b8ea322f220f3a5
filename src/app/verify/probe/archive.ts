import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { AddedFile } from '../../../model/append-to-tar.ts';
import { TEST_HANDLER } from './handler.ts';

/** `saved_model.pb` of a graph that returns its input: enough for TensorFlow Serving to start, without variables. */
export const TEST_SAVED_MODEL = Buffer.from(
  'CAESiAIKcBJfCi0KC1BsYWNlaG9sZGVyGg8KBm91dHB1dCIFZHR5cGUiDQoFZHR5cGUSBHR5cGUKLgoISWRlbnRpdHkSCgoFaW5wdXQiAVQa' +
    'CwoGb3V0cHV0IgFUIgkKAVQSBHR5cGUiBXNlcnZlKgYyLjE5LjASPwodCgF4EgtQbGFjZWhvbGRlcioLCgVkdHlwZRICMAEKGQoBeRIISWRl' +
    'bnRpdHkaAXgqBwoBVBICMAEiAwjaDipTCg9zZXJ2aW5nX2RlZmF1bHQSQAoQCgF4EgsKA3g6MBABGgIYARIQCgF4EgsKA3k6MBABGgIYARoa' +
    'dGVuc29yZmxvdy9zZXJ2aW5nL3ByZWRpY3Q=',
  'base64',
);

/** `model.tar.gz` of the model that verifications use, with files added to it; always the same bytes. */
export async function testArchive(added: readonly AddedFile[] = []): Promise<Uint8Array> {
  const tar = pack();
  // A date of its own would make other bytes each time.
  const mtime = new Date(0);
  tar.entry({ name: 'probe/1/saved_model.pb', mtime }, TEST_SAVED_MODEL);
  tar.entry({ name: 'code/inference.py', mtime }, TEST_HANDLER);
  for (const { name, body } of added) tar.entry({ name, mtime }, Buffer.from(body));
  tar.finalize();
  return gzipSync(await buffer(tar));
}
