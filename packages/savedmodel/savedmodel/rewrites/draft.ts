import { heldOnHost } from '../../host/constants.ts';
import { fromHostTensor, type HostTensor } from '../../host/host-tensor.ts';
import { BFLOAT16 } from '../bfloat16.ts';
import type { Attributes } from '../graph-def.ts';
import type { GraphNode, TensorRef } from '../graph-node.ts';

/** Place of a node that is in no order. */
export const NOWHERE = 2 ** 30;

/** A node that rewrites change. */
export class Draft {
  readonly name: string;
  /** Name of the node of the file that it stands for. */
  readonly origin: string;
  op: string;
  inputs: readonly TensorRef[];
  attributes: Attributes;
  readonly controls: readonly string[];
  readonly isCompiled: boolean;
  /** The node as it was; undefined once it is another one. */
  original: GraphNode | undefined;
  value: HostTensor | undefined;
  /** Whether its tensor is still the one that had this name. */
  isSame = true;
  /** Nodes that take it, once for each of their inputs that it is. */
  readonly users: Draft[] = [];
  /** Whether it has been put into a sum of many, and into a chain by size: each happens once. */
  isSummed = false;
  isOrdered = false;

  isGone = false;

  /** Where it stands among the nodes that were put in order last. */
  place = NOWHERE;
  /** Name of the node that a constant waits for, into which it is never moved. */
  waitsFor: string | undefined;

  constructor(node: GraphNode, origin = node.name) {
    this.origin = origin;
    const { name, op, inputs, attributes, controls = [], isCompiled = false, value, from } = node;
    this.name = name;
    this.op = op;
    this.inputs = inputs;
    this.attributes = attributes;
    this.controls = controls;
    this.isCompiled = isCompiled;
    this.original = node;
    // A variable is a constant here, and none to TensorFlow.
    const isConstant = value !== undefined && from === undefined && !isCompiled;
    this.value = isConstant ? heldOnHost(value) : undefined;
  }
}

const FLOATS = new Map([
  [1, 'float32'],
  [2, 'float64'],
  [BFLOAT16, 'float32'],
  [19, 'float16'],
] as const);

/** The floating-point type that the attribute `T` of a node names; bfloat16 is held in float32. */
export function floatType({ attributes }: Draft) {
  const type = attributes.get('T')?.type;
  return [...FLOATS].find(([number]) => number === type)?.[1];
}

/** The output of a node that has one. */
export function outputOf({ name }: Draft): TensorRef {
  return { node: name, index: 0 };
}

/** Nodes of these kinds may not be one though they look alike, and aren't folded. */
const APART =
  /Placeholder|_Arg|Var|Read|Random|Rng|Table|Assert|Switch|Merge|Enter|Exit|NextIteration|TensorArray|Print|Decode|Case|If|While|Call/;

/** Whether the node stays what it is: a read, a random number, a part of a loop. */
export function isApart({ op }: Draft): boolean {
  return APART.test(op);
}

/** The node for the graph that is done. */
export function finishedNode({ name, op, inputs, attributes, controls, original, value }: Draft): GraphNode {
  if (original !== undefined) {
    const isSame =
      inputs.length === original.inputs.length && inputs.every((ref, i) => ref === original.inputs[i]);
    return isSame ? original : { ...original, inputs };
  }
  const node = { name, op, inputs, attributes, ...(controls.length > 0 && { controls }) };
  return value === undefined ? node : { ...node, op: 'Const', inputs: [], value: fromHostTensor(value) };
}
