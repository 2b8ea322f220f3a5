import { readFileSync } from 'node:fs';
import { modelArchive } from './model-archive.ts';

const FIXTURE = new URL('../../../savedmodel/test/fixtures/loop_frozen/saved_model.pb', import.meta.url);

/** An operation that no TensorFlow has. */
export const UNKNOWN_OPERATION = 'Idxntity';

/** `model.tar.gz` of a model with an operation that no converter knows. */
export function unsupportedModel(): Promise<Buffer> {
  const bytes = readFileSync(FIXTURE, 'latin1').replaceAll('Identity', UNKNOWN_OPERATION);
  return modelArchive({ '1/saved_model.pb': Buffer.from(bytes, 'latin1') });
}
