import { type GraphNode, tensorName, type TensorRef } from '../savedmodel/graph-node.ts';
import { reading } from '../savedmodel/operation-definition.ts';
import { type Tensor, UnsupportedModel } from '../savedmodel/servable-model.ts';
import { evaluate, isHostOperation } from './evaluate.ts';
import { fromHostTensor, type HostTensor, hostTensorOf, isExactOnHost, toHostTensor } from './host-tensor.ts';

/** Folding must not turn a small file into a large model. */
const MAX_FOLDED_ELEMENTS = 2 ** 24;
/** A circle of nodes that hand something on has no end. */
const MAX_HOPS = 1000;
/** Smallest normal numbers: TensorFlow takes what is below them for zero. */
const LEAST: Readonly<Record<string, number>> = { float32: 2 ** -126, float64: 2 ** -1022 };
/** Operations that hand their first input on, whichever way a switch goes. */
const HANDS_ON: ReadonlySet<string> = new Set(
  'Identity Switch Enter RefEnter PlaceholderWithDefault'.split(' '),
);

/** The value as the host computes with it; undefined for strings, half precision, and integers that doubles don't hold. */
export function heldOnHost(value: Tensor): HostTensor | undefined {
  const isHeld = value.dtype !== 'string' && value.dtype !== 'float16' && isExactOnHost(value);
  return isHeld ? toHostTensor(value) : undefined;
}

/** The node's only result, computed from constants as TensorFlow's constant folding does; undefined if the host can't. */
export function foldNode(node: GraphNode, inputs: readonly HostTensor[]): HostTensor | undefined {
  if (inputs.length === 0 || !isHostOperation(node)) return undefined;
  if (inputs.some(({ data }) => data.length > MAX_FOLDED_ELEMENTS)) return undefined;
  try {
    const [only, ...others] = reading(node, (read) => evaluate(read, inputs));
    if (only === undefined || others.length > 0) return undefined;
    const { dtype, shape, data } = only;
    const least = LEAST[dtype] ?? 0;
    const isTiny = (value: number) => Math.abs(value) < least && value !== 0;
    if (!data.some(isTiny)) return { dtype, shape, data };
    return hostTensorOf(
      dtype,
      shape,
      data.map((value) => (isTiny(value) ? value * 0 : value)),
    );
  } catch (error) {
    // What the host does not compute may still be computed by onnxruntime.
    if (error instanceof UnsupportedModel) return undefined;
    throw error;
  }
}

/** Where constants are looked up. */
export interface ConstantSource {
  readonly nodeOf: (name: string) => GraphNode | undefined;
  /** The value of a tensor that isn't computed: a constant's, or what a checkpoint restores. */
  readonly given: (node: GraphNode, ref: TensorRef) => Tensor | undefined;
  /** Tensors to look at before one counts as unknown, if there is a limit. */
  readonly maxTensors?: number;
  /** Whether they are predicates: scalars, so that one side may decide "and" and "or". */
  readonly arePredicates?: boolean;
}

/** Values of the tensors of a graph that depend on none of its inputs, each computed once. */
export class Constants {
  readonly #source: ConstantSource;
  readonly #known = new Map<string, HostTensor | undefined>();

  constructor(source: ConstantSource) {
    this.#source = source;
  }

  /** The value, also if it is one that the host doesn't compute with, such as strings. */
  tensor(ref: TensorRef): Tensor | undefined {
    let current = ref;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const node = this.#source.nodeOf(current.node);
      const given = node && this.#source.given(node, current);
      if (given !== undefined) return given;
      const [input] = node?.inputs ?? [];
      if (node === undefined || input === undefined || !HANDS_ON.has(node.op)) break;
      current = input;
    }
    const value = this.of(current);
    return value && fromHostTensor(value);
  }

  /** The value as the host computes with it. The recursion is shallow if you ask for nodes in order. */
  of(ref: TensorRef): HostTensor | undefined {
    const key = tensorName(ref);
    const { maxTensors = Infinity } = this.#source;
    if (this.#known.has(key) || this.#known.size >= maxTensors) return this.#known.get(key);
    // What depends on itself stays unknown.
    this.#known.set(key, undefined);
    const value = this.#compute(ref);
    this.#known.set(key, value);
    return value;
  }

  #compute(ref: TensorRef): HostTensor | undefined {
    const node = this.#source.nodeOf(ref.node);
    if (node === undefined) return undefined;
    const given = this.#source.given(node, ref);
    if (given !== undefined) return heldOnHost(given);
    const [input] = node.inputs;
    if (input !== undefined && HANDS_ON.has(node.op)) return this.of(input);
    if (ref.index !== 0 || !isHostOperation(node)) return undefined;
    const { arePredicates = false } = this.#source;
    const inputs: HostTensor[] = [];
    for (const one of node.inputs) {
      const value = this.of(one);
      if (value !== undefined) inputs.push(value);
      else if (!arePredicates) return undefined;
    }
    const decisive = { LogicalAnd: 0, LogicalOr: 1 }[node.op];
    if (inputs.length < node.inputs.length) return inputs.find(({ data }) => data[0] === decisive);
    return foldNode(node, inputs);
  }
}
