import { ASSERT, assertedMessage } from '../savedmodel/assertions.ts';
import { inputOf } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { asserted } from './guard.ts';
import { setByConverter } from './known-tensors.ts';
import type { Family } from './operation.ts';

/** A condition that always holds costs nothing. */
const assertion: Converter = (node, conversion) => {
  if (conversion.numbers(inputOf(node, 0))?.every((truth) => truth === 1)) return;
  asserted(conversion.onnx, conversion.input(node), assertedMessage(node));
};

/** The operation that fails a request. */
export const ASSERTIONS: Family = {
  title: 'Assertions',
  takes:
    'a condition from anything that is converted, also in loops and branches; the request fails with the assertion’s message',
  limits: [
    ['', 'its message shows only constants, no data'],
    [
      '',
      'one that can’t be converted, or is inside a `tf.map_fn` over encoded images, isn’t checked, though TensorFlow ' +
        'would refuse the request: `model inspect` and the container’s log name it',
    ],
  ],
  operations: { [ASSERT]: [assertion, setByConverter] },
};
