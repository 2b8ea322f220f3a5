import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { TEST_SAVED_MODEL } from '../../src/app/verify/probe/archive.ts';

/** An operation that no TensorFlow has. */
export const UNKNOWN_OPERATION = 'Idxntity';

/** `model.tar.gz` of a model with an operation that no converter knows. */
export function unsupportedModel(): Promise<Buffer> {
  const bytes = TEST_SAVED_MODEL.toString('latin1').replaceAll('Identity', UNKNOWN_OPERATION);
  return modelArchive({ '1/saved_model.pb': Buffer.from(bytes, 'latin1') });
}
