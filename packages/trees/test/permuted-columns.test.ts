import fc from 'fast-check';
import { expect, it } from 'vitest';
import { convertTrees } from '../convert-trees.ts';
import { answersOf } from './support/answers-of.ts';
import { libraryAnswers, modelOf } from './support/fixtures.ts';

const text = Buffer.from(modelOf('lightgbm-classes.txt')).toString();
const NAMES = ['age', 'income', 'visits', 'plan', 'score'];

/** The model as if it were trained on the same columns in another order. */
function permuted(order: readonly number[]): Uint8Array {
  const lines = text.split('\n').map((line) => {
    const [name, values = ''] = line.split('=');
    if (name === 'feature_names') return `${name}=${order.map((at) => NAMES[at]).join(' ')}`;
    if (name !== 'split_feature') return line;
    return `${name}=${values
      .split(' ')
      .map((at) => order.indexOf(Number(at)))
      .join(' ')}`;
  });
  return Buffer.from(lines.join('\n'));
}

it('answers the same for columns in another order with their names', async () => {
  const { rows } = libraryAnswers('lightgbm-classes.txt');
  const wanted = await answersOf(convertTrees(Buffer.from(text), 'model.txt').onnx, rows);

  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), async (order) => {
      const { onnx, columns } = convertTrees(permuted(order), 'model.txt');
      const asked = rows.map((row) => columns!.map((name) => row[NAMES.indexOf(name)]!));

      expect(await answersOf(onnx, asked)).toEqual(wanted);
    }),
    { numRuns: 20 },
  );
});
