import type { GraphNode } from '../../savedmodel/graph-node.ts';
import { UnsupportedModel } from '../../savedmodel/servable-model.ts';
import { hostInput } from '../host-operation.ts';
import type { HostTensor } from '../host-tensor.ts';
import type { LookupTable } from './lookup-table.ts';
import { Texts } from './texts.ts';

/** Dependencies of an operation on strings. */
export interface TextScope {
  readonly node: GraphNode;
  readonly texts: Texts;
  /** Input `index`. @throws {BrokenModel} if the node has too few */
  input(index: number): HostTensor;
  /** The table that the handle in input 0 refers to. */
  table(): LookupTable;
}

/** Evaluates an operation on strings, ragged rows or tables; several outputs are a list. */
export type TextOperation = (scope: TextScope) => HostTensor | readonly HostTensor[];

/** The scope of one node. */
export function textScope(
  node: GraphNode,
  inputs: readonly HostTensor[],
  texts: Texts,
  table: () => LookupTable,
): TextScope {
  return { node, texts, table, input: (index) => hostInput(inputs, index, node) };
}

class InputIsRead extends Error {
  override readonly name = 'InputIsRead';
}

/**
 * The refusal of a form that the node's attributes tell, such as `StringLower (encoding utf-8)`: an operation looks at them
 * before its inputs.
 */
export function refusedForm(node: GraphNode, operation: TextOperation): UnsupportedModel | undefined {
  const read = (): never => {
    throw new InputIsRead();
  };
  try {
    operation({ node, texts: new Texts([]), table: read, input: read });
  } catch (error) {
    if (error instanceof UnsupportedModel) return error;
    if (!(error instanceof InputIsRead)) throw error;
  }
  return undefined;
}
