import { ASSERT, assertedMessage } from '../savedmodel/assertions.ts';
import { inputOf } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { asserted } from './guard.ts';

/** One whose condition always holds costs nothing. */
const assertion: Converter = (node, conversion) => {
  if (conversion.numbers(inputOf(node, 0))?.every((truth) => truth === 1)) return;
  asserted(conversion.onnx, conversion.input(node), assertedMessage(node));
};

/** The operation that ends a request. */
export const ASSERTIONS: Readonly<Record<string, Converter>> = { [ASSERT]: assertion };
