import { readFileSync } from 'node:fs';
import path from 'node:path';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';

const FIXTURE = path.resolve(
  import.meta.dirname,
  '..',
  '..',
  'packages',
  'savedmodel',
  'test',
  'fixtures',
  'sigmoid',
);

/** `model.tar.gz` of a network that answers, for records of one number each, its sigmoid; with further files. */
export function sigmoidModel(files: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const file = (inner: string): Buffer => readFileSync(path.join(FIXTURE, inner));
  return modelArchive({
    '1/saved_model.pb': file('saved_model.pb'),
    '1/variables/variables.index': file('variables/variables.index'),
    '1/variables/variables.data-00000-of-00001': file('variables/variables.data-00000-of-00001'),
    ...files,
  });
}
