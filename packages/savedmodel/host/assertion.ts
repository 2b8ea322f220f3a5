import { ASSERT, assertedMessage } from '../savedmodel/assertions.ts';
import { InvalidFeeds } from '../savedmodel/servable-model.ts';
import type { TextOperation } from './text/text-operation.ts';

/** Gives nothing; only its error counts. */
const assertion: TextOperation = ({ node, input }) => {
  if (input(0).data.every((truth) => truth !== 0)) return [];
  throw new InvalidFeeds(`Node ${node.name} (${node.op}): ${assertedMessage(node)}`);
};

/** Assertions about texts. */
export const HOST_ASSERTIONS: Readonly<Record<string, TextOperation>> = { [ASSERT]: assertion };
