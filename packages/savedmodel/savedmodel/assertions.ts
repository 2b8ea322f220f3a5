import { flattenFunction, type Library } from './flatten-functions.ts';
import { type GraphNode, inputOf, intAttr, tensorName, type TensorRef, unsupported } from './graph-node.ts';
import { hasAssertion } from './has-assertion.ts';
import type { Tensor } from './servable-model.ts';
import { readTensor } from './tensor-proto.ts';

/** Op of a node that fails a request unless its input is true. */
export const ASSERT = 'Assert';

type Nodes = ReadonlyMap<string, GraphNode>;

/**
 * Assertions among nodes of a graph, by the name of the node: an `Assert` of only the condition, with its message as an attribute,
 * or the loop or branch that has assertions in it. The `If` that `tf.debugging` puts around an assertion is its condition.
 *
 * @param nodes all nodes of the graph
 */
export function assertionsAmong(
  asserting: Iterable<GraphNode>,
  nodes: Nodes,
  library: Library,
): Map<string, GraphNode> {
  const found = new Map<string, GraphNode>();
  for (const node of asserting) {
    if (node.isCompiled) continue;
    if (node.op === ASSERT) found.set(node.name, ownAssertion(node, nodes));
    else if (hasAssertion([node], library.functions))
      found.set(node.name, guardedAssertion(node, nodes, library) ?? node);
  }
  return found;
}

function assertionOf(name: string, condition: TensorRef, message: string): GraphNode {
  return {
    name,
    op: ASSERT,
    inputs: [condition],
    attributes: new Map([['message', { text: Buffer.from(message) }]]),
  };
}

/**
 * TensorFlow 1 runs an assertion only if its condition is false: a `Switch` of the condition with itself leads to it. One in a
 * branch or loop of TensorFlow 1 stays as it is, and so is refused.
 */
function ownAssertion(node: GraphNode, nodes: Nodes): GraphNode {
  const given = handedOn(inputOf(node, 0), nodes);
  const choice = nodes.get(given.node);
  const chosen = choice?.op === 'Switch' && given.index === 0 ? inputOf(choice, 0) : undefined;
  const isGuarded =
    choice !== undefined &&
    chosen !== undefined &&
    isSame(handedOn(chosen, nodes), handedOn(inputOf(choice, 1), nodes));
  const condition = isGuarded ? chosen : given;
  const waitsFor = isGuarded ? (choice.controls ?? []) : (node.controls ?? []);
  if (isWithin([condition.node, ...waitsFor], nodes)) return node;
  return assertionOf(node.name, condition, messageOf(node, nodes));
}

const BEGINS: ReadonlySet<string> = new Set(['Switch', 'RefSwitch', 'Enter', 'RefEnter']);
const ENDS: ReadonlySet<string> = new Set(['Merge', 'RefMerge', 'Exit', 'RefExit']);

/** Whether some nodes run only in a branch or loop of TensorFlow 1. */
function isWithin(names: readonly string[], nodes: Nodes): boolean {
  const seen = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = nodes.get(name);
    if (node === undefined || seen.has(name) || ENDS.has(node.op)) continue;
    seen.add(name);
    if (BEGINS.has(node.op)) return true;
    open.push(...node.inputs.map((ref) => ref.node), ...(node.controls ?? []));
  }
  return false;
}

/** The assertion of an `If` that does nothing else than to assert its predicate where that is false. */
function guardedAssertion(node: GraphNode, nodes: Nodes, library: Library): GraphNode | undefined {
  const [taken, other] = ['then_branch', 'else_branch'].map(
    (side) => node.attributes.get(side)?.functionName,
  );
  if (taken === undefined || other === undefined) return undefined;
  if (assertionsOfFunction(taken, library).size > 0) return undefined;
  const called = flattenFunction(other, library);
  const [assertion, ...more] = [...called.nodes.values()].filter((one) =>
    hasAssertion([one], library.functions),
  );
  if (assertion?.op !== ASSERT || more.length > 0) return undefined;
  const outside = (ref: TensorRef): TensorRef | undefined => {
    const place = called.arguments.indexOf(handedOn(ref, called.nodes).node);
    return place < 0 ? undefined : inputOf(node, place + 1);
  };
  const [predicate, condition] = [inputOf(node, 0), outside(inputOf(assertion, 0))];
  if (condition === undefined || !isSame(handedOn(predicate, nodes), handedOn(condition, nodes)))
    return undefined;
  const message = messageOf(assertion, called.nodes, (ref) => {
    const given = outside(ref);
    return given && constantOf(given, nodes);
  });
  return assertionOf(`${node.name}/${ASSERT}`, predicate, message);
}

function assertionsOfFunction(name: string, library: Library): Map<string, GraphNode> {
  const { nodes } = flattenFunction(name, library);
  return assertionsAmong(nodes.values(), nodes, library);
}

function isSame(one: TensorRef, other: TensorRef): boolean {
  return tensorName(one) === tensorName(other);
}

/** Follows a tensor back through nodes that only hand it on. */
function handedOn(ref: TensorRef, nodes: Nodes): TensorRef {
  let current = ref;
  for (;;) {
    const node = nodes.get(current.node);
    if (node?.op !== 'Identity') return current;
    current = inputOf(node, 0);
  }
}

function constantOf(ref: TensorRef, nodes: Nodes): Tensor | undefined {
  let source = handedOn(ref, nodes);
  for (let node = nodes.get(source.node); node?.op === 'Switch'; node = nodes.get(source.node))
    source = handedOn(inputOf(node, 0), nodes);
  const node = nodes.get(source.node);
  const encoded = node?.op === 'Const' ? node.attributes.get('value')?.tensor : undefined;
  return node === undefined || encoded === undefined ? undefined : readTensor(encoded, node.name);
}

/** Elements that TensorFlow shows of a tensor, unless the node says another number. */
const SHOWN = 3;
/** Longer words would only fill the log. */
const MAX_MESSAGE = 1000;

/** TensorFlow's words; of tensors that are not constants only dots. */
function messageOf(
  node: GraphNode,
  nodes: Nodes,
  constant = (ref: TensorRef): Tensor | undefined => constantOf(ref, nodes),
): string {
  const shown = intAttr(node, 'summarize', SHOWN);
  const data = node.inputs.slice(1).map((ref) => {
    const value = constantOf(ref, nodes) ?? constant(ref);
    return `[${value === undefined ? '...' : summary(value, shown)}]`;
  });
  return `assertion failed: ${data.join(' ')}`.slice(0, MAX_MESSAGE);
}

function summary({ dtype, shape, data }: Tensor, shown: number): string {
  if (shape.length > 1 || dtype === 'float16') return '...';
  const count = shown < 0 ? data.length : shown;
  const words = Array.from<unknown, string>(data.slice(0, count), (value) =>
    value instanceof Uint8Array ? escaped(Buffer.from(value).toString()) : digits(dtype, value),
  );
  return `${words.join(' ')}${data.length > count ? '...' : ''}`;
}

/** The digits that single precision needs, as TensorFlow prints it. */
function digits(dtype: Tensor['dtype'], value: unknown): string {
  if (dtype !== 'float32' || typeof value !== 'number') return String(value);
  const short = Number(value.toPrecision(6));
  return String(Math.fround(short) === value ? short : Number(value.toPrecision(9)));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\'"]/g, '\\$&').replaceAll('\n', '\\n');
}

/** The message of an assertion that was found here. @throws {UnsupportedModel} if it is one of a branch or loop of TensorFlow 1 */
export function assertedMessage(node: GraphNode): string {
  const text = node.attributes.get('message')?.text;
  if (text === undefined) throw unsupported(node, 'in a branch or loop of TensorFlow 1');
  return Buffer.from(text).toString();
}
