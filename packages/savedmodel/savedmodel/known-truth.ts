import { type GraphNode, inputOf, type TensorRef } from './graph-node.ts';
import { readTensor } from './tensor-proto.ts';

/** Predicates are small: "not training"; what takes more nodes counts as unknown, so that no graph takes long. */
const MAX_PREDICATE_NODES = 100;
const BOOL = 10;

/** Looks a node up; its inputs must be resolved. */
export type NodeOf = (name: string) => GraphNode | undefined;

/**
 * The truth value that a tensor always has, whatever is fed; `undefined` if that is not known before the graph runs.
 *
 * @param fed names of nodes whose value callers give
 * @throws {BrokenModel} if a constant that it depends on is damaged
 */
export function knownTruth(ref: TensorRef, nodeOf: NodeOf, fed: ReadonlySet<string>): boolean | undefined {
  const known = new Map<string, boolean | undefined>();
  const truth = (name: string): boolean | undefined => {
    if (known.has(name) || known.size >= MAX_PREDICATE_NODES || fed.has(name)) return known.get(name);
    known.set(name, undefined); // what depends on itself stays unknown
    const node = nodeOf(name);
    const value = node && truthOfNode(node, (index) => truth(inputOf(node, index).node));
    known.set(name, value);
    return value;
  };
  return truth(ref.node);
}

function truthOfNode(node: GraphNode, input: (index: number) => boolean | undefined): boolean | undefined {
  switch (node.op) {
    case 'Const':
      return truthOfConstant(node);
    // A switch passes its first input on, to whichever side.
    case 'Switch':
    case 'Identity':
    case 'PlaceholderWithDefault':
      return input(0);
    case 'LogicalNot': {
      const value = input(0);
      return value === undefined ? undefined : !value;
    }
    case 'LogicalAnd':
      return truthOfPair(input(0), input(1), false);
    case 'LogicalOr':
      return truthOfPair(input(0), input(1), true);
    default:
      return undefined;
  }
}

/** One side alone may decide: false for "and", true for "or". */
function truthOfPair(a: boolean | undefined, b: boolean | undefined, deciding: boolean): boolean | undefined {
  if (a === deciding || b === deciding) return deciding;
  return a === undefined || b === undefined ? undefined : !deciding;
}

function truthOfConstant(node: GraphNode): boolean | undefined {
  const encoded = node.attributes.get('value')?.tensor;
  if (encoded === undefined || node.attributes.get('dtype')?.type !== BOOL) return undefined;
  const { data } = readTensor(encoded, node.name);
  return data.length === 1 ? data[0] === 1 : undefined;
}
