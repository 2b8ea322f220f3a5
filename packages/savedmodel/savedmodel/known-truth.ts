import { Constants } from '../host/constants.ts';
import type { GraphNode, TensorRef } from './graph-node.ts';
import { readTensor } from './tensor-proto.ts';

/** Predicates are small: "not training"; what takes more nodes counts as unknown, so that no graph takes long. */
const MAX_PREDICATE_NODES = 100;
const MAX_PREDICATE_BYTES = 100;
/** float32, int32, int64, bool */
const TYPES: readonly number[] = [1, 3, 9, 10];

/** Looks a node up; its inputs must be resolved. */
export type NodeOf = (name: string) => GraphNode | undefined;

/**
 * The truth value that a tensor always has, whatever is fed; `undefined` if that is not known before the graph runs.
 *
 * @param fed names of nodes with a value from the caller
 * @throws {BrokenModel} if a constant that it depends on is damaged
 */
export function knownTruth(ref: TensorRef, nodeOf: NodeOf, fed: ReadonlySet<string>): boolean | undefined {
  const constants = new Constants({
    nodeOf: (name) => (fed.has(name) ? undefined : nodeOf(name)),
    given: ({ name, op, attributes }) => {
      const encoded = op === 'Const' ? attributes.get('value')?.tensor : undefined;
      const isSmall = encoded !== undefined && encoded.length <= MAX_PREDICATE_BYTES;
      return isSmall && TYPES.includes(attributes.get('dtype')?.type ?? 0)
        ? readTensor(encoded, name)
        : undefined;
    },
    maxTensors: MAX_PREDICATE_NODES,
    arePredicates: true,
  });
  const truth = constants.of(ref);
  return truth?.dtype === 'bool' && truth.data.length === 1 ? truth.data[0] === 1 : undefined;
}
