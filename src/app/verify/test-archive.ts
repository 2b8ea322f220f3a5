import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { TEST_HANDLER } from '../../verify/test-handler.ts';
import { testSavedModel } from '../../verify/test-saved-model.ts';

/** `model.tar.gz` of the model that verifications use; always the same bytes. */
export async function testArchive(): Promise<Uint8Array> {
  const tar = pack();
  // A date of its own would make other bytes each time.
  const mtime = new Date(0);
  tar.entry({ name: 'probe/1/saved_model.pb', mtime }, Buffer.from(testSavedModel()));
  tar.entry({ name: 'code/inference.py', mtime }, TEST_HANDLER);
  tar.finalize();
  return gzipSync(await buffer(tar));
}
