import { readFileSync } from 'node:fs';
import path from 'node:path';
import { modelArchive } from './model-archive.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../savedmodel/test/fixtures');

/** A row of six numbers. */
type Row = readonly number[];

/** Rows of numbers: of the first the network finds the last class likeliest, of the second the third. */
export const [FIRST, SECOND]: readonly [Row, Row] = JSON.parse(
  readFileSync(path.join(FIXTURES, 'graphs.json'), 'utf8'),
).input;

/** Names for the classes of the network. */
export const CLASSES = ['a', 'b', 'c', 'd'];

/** `model.tar.gz` of a network from six numbers to four probabilities, which TensorFlow saved; with further files. */
export function rowNetwork(files: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const file = (inner: string): Buffer => readFileSync(path.join(FIXTURES, 'functions', inner));
  return modelArchive({
    'numbers/1/saved_model.pb': file('saved_model.pb'),
    'numbers/1/variables/variables.index': file('variables/variables.index'),
    'numbers/1/variables/variables.data-00000-of-00001': file('variables/variables.data-00000-of-00001'),
    ...files,
  });
}
