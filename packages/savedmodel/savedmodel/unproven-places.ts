import { type FrozenGraph, usersIn } from './frozen-graph.ts';
import type { GraphNode, TensorRef } from './graph-node.ts';
import { operations } from './rewrites/rewrite.ts';

const SATURATING = operations('Sigmoid Tanh Elu');
const BIASES = operations('BiasAdd Add AddV2');
const PRODUCTS = operations('MatMul Conv2D DepthwiseConv2dNative');
/** One bit off by the place in the tensor: TensorFlow 2 computes them in groups of eight numbers. */
const ONE_BIT_OFF = operations('Reciprocal Inv Rsqrt');
/** A last bit of their input may become a whole number in their output. */
const DECIDING = operations('Floor Ceil Round Rint FloorDiv FloorMod Equal NotEqual');
const WATCHED = operations('ArgMax ArgMin Sub Reciprocal Inv Rsqrt');
const ELEMENTWISE = operations(
  'Add AddV2 Sub Mul RealDiv Div Neg Abs Square Sqrt Maximum Minimum ClipByValue Identity Reshape Squeeze ExpandDims',
);
const MAX_STEPS = 6;
/** `tensorflow.DataType` of floating-point numbers. */
const FLOATS: readonly (number | undefined)[] = [1, 2, 14, 19];

/**
 * Places where something decides on last bits that aren't known to be TensorFlow's, a sentence each.
 *
 * @param graph as TensorFlow's optimizer leaves it
 */
export function unprovenPlaces(graph: FrozenGraph): string[] {
  let users: ReadonlyMap<string, readonly GraphNode[]> | undefined;
  const of = (ref: TensorRef | undefined) => (ref === undefined ? undefined : graph.get(ref.node));
  const places: string[] = [];
  for (const node of graph.values()) {
    if (!WATCHED.has(node.op)) continue;
    const [first, second] = node.inputs.map(of);
    const [bias] = first?.inputs.map(of) ?? [];
    const [product] = bias?.inputs.map(of) ?? [];
    const isFused =
      bias !== undefined && BIASES.has(bias.op) && product !== undefined && PRODUCTS.has(product.op);
    if (/^Arg(Max|Min)$/.test(node.op) && first !== undefined && SATURATING.has(first.op) && isFused)
      places.push(
        `the class of ${first.name}: TensorFlow computes ${product.name} and ${first.name} in one kernel of the ` +
          `processor's, and saturated scores may tie otherwise`,
      );
    if (node.op === 'Sub' && first?.op === 'Exp' && isOne(second))
      places.push(`${node.name}: digits of exp(x) - 1 below 1e-6 are not TensorFlow's`);
    const decider = ONE_BIT_OFF.has(node.op) ? deciderBehind(node, (users ??= usersIn(graph))) : undefined;
    if (decider !== undefined)
      places.push(
        `${decider}: TensorFlow's ${node.op === 'Rsqrt' ? 'inverse square root' : 'reciprocal'} is one bit off by its ` +
          `place in the tensor, so that ${decider} may be off by one`,
      );
  }
  return places;
}

function isOne(node: GraphNode | undefined): boolean {
  const { dtype, data } = node?.value ?? {};
  return data !== undefined && dtype !== 'string' && data.length === 1 && Number(data[0]) === 1;
}

/** Name of a node that makes a decision from this node's values, element by element. */
function deciderBehind(
  start: GraphNode,
  users: ReadonlyMap<string, readonly GraphNode[]>,
): string | undefined {
  let nodes = [start];
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const next = new Set(nodes.flatMap(({ name }) => users.get(name) ?? []));
    const decider = [...next].find(isDeciding);
    if (decider !== undefined) return decider.name;
    nodes = [...next].filter(({ op }) => ELEMENTWISE.has(op));
  }
  return undefined;
}

function isDeciding({ op, attributes }: GraphNode): boolean {
  return DECIDING.has(op) || (op === 'Cast' && !FLOATS.includes(attributes.get('DstT')?.type));
}
