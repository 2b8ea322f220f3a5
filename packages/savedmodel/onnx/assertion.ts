import { ASSERT, assertedMessage } from '../savedmodel/assertions.ts';
import { inputOf } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { asserted } from './guard.ts';
import { setByConverter } from './known-tensors.ts';
import type { Family } from './operation.ts';

/** One whose condition always holds costs nothing. */
const assertion: Converter = (node, conversion) => {
  if (conversion.numbers(inputOf(node, 0))?.every((truth) => truth === 1)) return;
  asserted(conversion.onnx, conversion.input(node), assertedMessage(node));
};

/** The operation that ends a request. */
export const ASSERTIONS: Family = {
  title: 'Assertions',
  takes:
    'a condition from anything that is converted, in loops and branches, too; the request fails with the words of the assertion',
  limits: [
    ['', 'of the data in its words only constants are shown'],
    [
      '',
      'one that cannot be converted, or stands in a `tf.map_fn` over encoded images, is not checked, where TensorFlow ' +
        'refuses the request: `model inspect` and the container’s log name it',
    ],
  ],
  operations: {
    [ASSERT]: [assertion, setByConverter],
  },
};
