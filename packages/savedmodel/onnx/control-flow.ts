import { branch } from './branches.ts';
import { setByConverter } from './known-tensors.ts';
import { whileLoop } from './loops.ts';
import { alike, type Family } from './operation.ts';
import { TENSOR_LISTS } from './tensor-lists.ts';

/** Operations that call functions of the model, and the lists that loops fill. */
export const CONTROL_FLOW: Family = {
  title: 'Loops, branches, lists of tensors',
  takes: 'all element types; recurrent layers of Keras are made of these',
  limits: [
    ['', 'the tensors of a list must have one shape'],
    [
      'While StatelessWhile',
      'fails the request after a million turns, or if a list of elements with an open shape is never written',
    ],
  ],
  operations: {
    ...alike('While StatelessWhile', whileLoop, setByConverter),
    ...alike('If StatelessIf', branch, setByConverter),
    ...TENSOR_LISTS,
  },
};
