import { isDeepStrictEqual } from 'node:util';
import { foldNode, heldOnHost } from '../../host/constants.ts';
import { fromHostTensor, type HostTensor, hostTensorOf } from '../../host/host-tensor.ts';
import { broadcast } from '../../onnx/known-tensors.ts';
import { BFLOAT16 } from '../bfloat16.ts';
import type { FrozenGraph } from '../frozen-graph.ts';
import type { Attributes } from '../graph-def.ts';
import { type GraphNode, tensorName, type TensorRef } from '../graph-node.ts';
import { nodesInOrder } from '../node-order.ts';
import { areAlike } from '../operation-definition.ts';
import { BrokenModel } from '../servable-model.ts';
import type { Shape } from '../tensor-proto.ts';
import { Edges } from './edges.ts';

/** Facts of a graph that the optimizer must know besides its nodes. */
export interface OptimizedScope {
  /** Tensors that are wanted: each counts as one that takes it. */
  readonly results: readonly TensorRef[];
  /** Names of nodes that callers fetch or feed themselves, which stay what they are. */
  readonly kept: ReadonlySet<string>;
  /** Shapes of the tensors of the graph as it was, as far as TensorFlow's optimizer knows them. */
  readonly shape: (ref: TensorRef) => Shape;
}

const NOWHERE = 2 ** 30;

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

const PASSING: ReadonlySet<string> = new Set(['Identity', 'StopGradient', 'PreventGradient']);
const COMMUTATIVE: ReadonlySet<string> = new Set(
  'Add AddV2 AddN Mul Maximum Minimum Equal NotEqual LogicalAnd LogicalOr SquaredDifference'.split(' '),
);
/** Nodes of these kinds may not be one though they look alike, and aren't folded. */
const APART =
  /Placeholder|_Arg|Var|Read|Random|Rng|Table|Assert|Switch|Merge|Enter|Exit|NextIteration|TensorArray|Print|Decode|Case|If|While|Call/;
const SIZES: ReadonlySet<string> = new Set(['Shape', 'Size', 'Rank']);
const MAX_FOLDED_BYTES = 10 * 2 ** 20;
const INT64 = 9;

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

/** A graph that is being rewritten, which knows the users of each node all the time. */
export class DraftGraph {
  readonly #scope: OptimizedScope;
  readonly #nodes = new Map<string, Draft>();
  readonly #wanted = new Map<string, number>();
  readonly #controlled = new Set<string>();
  readonly #shapes = new Map<string, Shape>();
  /** Keys by the tensor's name that are equal for tensors of one shape; tensors-alike.ts keeps them. */
  readonly shapeKeys = new Map<string, string | undefined>();
  /** Nodes that have lost a user. */
  readonly #loose: Draft[] = [];
  #order: readonly Draft[] | undefined;
  #passing: Draft[] = [];
  /** Nodes among which constants have moved in this round: TensorFlow takes their shapes for unknown until the next. */
  readonly moved = new Set<Draft>();
  /** All nodes in the order in which TensorFlow looks at them: it decides which constants come together first. */
  #sequence: Draft[] = [];
  #added = 0;
  /** Count of nodes that have become another one. */
  changes = 0;

  constructor(graph: FrozenGraph, scope: OptimizedScope) {
    this.#scope = scope;
    for (const { node } of scope.results) this.#wanted.set(node, (this.#wanted.get(node) ?? 0) + 1);
    for (const node of graph.values()) {
      for (const control of node.controls ?? []) this.#controlled.add(control);
      const draft = new Draft(node);
      this.#nodes.set(node.name, draft);
    }
    for (const draft of this.#nodes.values()) this.#take(draft.inputs, draft);
    this.#passing = [...this.#nodes.values()].filter(({ op }) => PASSING.has(op));
    this.settle();
  }

  /** All nodes, inputs before their users. */
  inOrder(): readonly Draft[] {
    const roots = this.#scope.results.map(({ node }) => node);
    this.#order ??= nodesInOrder(roots, (name) => {
      const node = this.#nodes.get(name);
      if (node === undefined) throw new BrokenModel(`The graph has no node ${name}`);
      return node;
    });
    return this.#order;
  }

  has(node: Draft): boolean {
    return !node.isGone;
  }

  /** The node of the only output that it is, unless a compiled function has it. */
  of(ref: TensorRef | undefined): Draft | undefined {
    const node = ref === undefined || ref.index !== 0 ? undefined : this.#nodes.get(ref.node);
    return node?.isCompiled === true ? undefined : node;
  }

  valueOf(ref: TensorRef | undefined): HostTensor | undefined {
    return this.of(ref)?.value;
  }

  /** How many inputs and results it is. */
  uses({ name, users }: Draft): number {
    return users.length + (this.#wanted.get(name) ?? 0);
  }

  /** How many nodes take it, and results. */
  takers({ name, users }: Draft): number {
    return (users.length > 1 ? new Set(users).size : users.length) + (this.#wanted.get(name) ?? 0);
  }

  isSole(node: Draft): boolean {
    return this.uses(node) === 1 && !this.isKept(node);
  }

  /** Whether callers fetch or feed it by its name. */
  isKept({ name }: Draft): boolean {
    return this.#scope.kept.has(name);
  }

  /** Whether nodes wait for it by a control edge. */
  isControlled({ name }: Draft): boolean {
    return this.#controlled.has(name);
  }

  /** Whether control edges lead to it or from it. */
  isGuarded(node: Draft): boolean {
    return this.isControlled(node) || node.controls.some((name) => this.#nodes.has(name));
  }

  /** The node computes its tensor by another operation. */
  become(node: Draft, op: string, inputs: readonly TensorRef[]): void {
    if (op !== node.op) node.original = undefined;
    node.op = op;
    this.#setInputs(node, inputs);
    this.changes++;
  }

  /** The node computes another tensor from now on. */
  reuse(node: Draft, op: string, inputs: readonly TensorRef[]): void {
    this.become(node, op, inputs);
    node.isSame = false;
    this.#shapes.delete(node.name);
    this.shapeKeys.delete(tensorName(outputOf(node)));
  }

  /** Those who take the node take this tensor instead, once the rewrite is done. */
  handOn(node: Draft, ref: TensorRef): void {
    this.become(node, 'Identity', [ref]);
    node.attributes = new Map([...node.attributes].filter(([key]) => key === 'T'));
    this.#passing.push(node);
  }

  /** A new node of the element type of another, named as TensorFlow names it, since names decide the order of inputs. */
  add(like: Draft, stage: string, op: string, inputs: readonly TensorRef[], value?: HostTensor): Draft {
    const begin = like.name.lastIndexOf('/') + 1;
    const [scope, own] = [like.name.slice(0, begin), like.name.slice(begin)];
    const base =
      stage === 'recip'
        ? `ConstantFolding/${like.name}_recip`
        : `${scope}ArithmeticOptimizer/${stage}_${own}`;
    const name = this.#nodes.has(base) ? `${base}_unique${this.#added++}` : base;
    const attributes = new Map([...like.attributes].filter(([key]) => key === 'T'));
    const node = new Draft({ name, op, inputs, attributes }, like.origin);
    node.original = undefined;
    node.isSame = false;
    node.value = value;
    this.#nodes.set(name, node);
    this.#sequence.push(node);
    this.#take(inputs, node);
    return node;
  }

  /** A constant waits for a node, as TensorFlow makes one that takes the node's place in a frame. */
  waitFor(constant: Draft, name: string): void {
    constant.waitsFor = name;
    this.#controlled.add(name);
  }

  /** Drops nodes that hand something on, and those that nothing takes any more. */
  settle(): void {
    for (const node of this.#passing.splice(0)) this.#bypass(node);
    for (let node = this.#loose.pop(); node !== undefined; node = this.#loose.pop()) {
      if (!this.has(node) || this.uses(node) > 0) continue;
      this.#nodes.delete(node.name);
      node.isGone = true;
      this.#release(node.inputs, node);
    }
  }

  /** Equal nodes become one. The last nodes take the places of those that go. */
  merge(): void {
    const constants = new Map<string, Draft[]>();
    const sequence = this.#byReadiness(this.#fromResults());
    const gone: number[] = [];
    for (const [place, node] of sequence.entries()) {
      if (node.isCompiled) continue;
      if (COMMUTATIVE.has(node.op) && !isSorted(node.inputs)) node.inputs = node.inputs.toSorted(byLabel);
      if (!this.#mayMerge(node)) continue;
      const isOpen = (one: Draft) => one.op === node.op && one.place < place && this.#mayMerge(one);
      const alike =
        node.inputs.length > 0 ? this.#takersOfInputs(node) : listOf(constants, constantKey(node));
      const same = alike.find((one) => isOpen(one) && isEqual(one, node));
      if (same !== undefined) {
        this.#redirect(node, (index) => ({ node: same.name, index }));
        node.place = NOWHERE;
        gone.push(place);
      } else if (node.inputs.length === 0) alike.push(node);
    }
    for (const place of gone.toReversed()) {
      const last = sequence.pop();
      if (last !== undefined && place < sequence.length) sequence[place] = last;
    }
    this.#sequence = sequence;
    this.moved.clear();
    this.settle();
  }

  /** The nodes in order, and those that are added meanwhile. */
  *inSequence(): Iterable<Draft> {
    for (const node of this.#sequence) if (this.has(node)) yield node;
  }

  /** The nodes in order, each behind what it takes. */
  sorted(): Draft[] {
    return this.#byReadiness([...this.inSequence()]);
  }

  /** Computes what depends only on constants. */
  fold(): void {
    const queue = [...this.inSequence()];
    for (const node of queue) {
      const value = node.isCompiled ? undefined : (this.#shapeValue(node) ?? this.#computed(node));
      if (value === undefined) continue;
      this.become(node, 'Const', []);
      node.value = value;
      queue.push(...node.users);
    }
    this.settle();
  }

  /** Shape of a tensor; null if even its rank is not known, and -1 for sizes that aren't. */
  shape(ref: TensorRef | undefined): Shape {
    if (ref === undefined) return null;
    const node = this.#nodes.get(ref.node);
    if (node?.value !== undefined) return node.value.shape;
    if (node === undefined || node.isSame) return this.#scope.shape(ref);
    const known = this.#shapes.get(node.name);
    if (known !== undefined) return known;
    const shape = shapeOfNew(
      node.op,
      node.inputs.map((input) => this.shape(input)),
    );
    this.#shapes.set(node.name, shape);
    return shape;
  }

  finished(): FrozenGraph {
    return new Map(this.inOrder().map((node) => [node.name, finishedNode(node)]));
  }

  #mayMerge(node: Draft): boolean {
    const isUnknown = node.op === 'Const' ? node.value === undefined : APART.test(node.op);
    return !isUnknown && !node.isCompiled && !this.isKept(node) && !this.#wanted.has(node.name);
  }

  /** The nodes that take the input of a node that the fewest take. */
  #takersOfInputs({ inputs }: Draft): Draft[] {
    const takers = inputs.map(({ node }) => this.#nodes.get(node)?.users ?? []);
    return takers.reduce((fewest, one) => (one.length < fewest.length ? one : fewest));
  }

  /** From what lies farthest from the results to the results. */
  #fromResults(): Draft[] {
    const found = new Set<Draft>();
    const find = (name: string) => {
      const node = this.#nodes.get(name);
      if (node !== undefined) found.add(node);
    };
    for (const { node } of this.#scope.results) find(node);
    for (const node of found) forEachName(node, find);
    return [...found].reverse();
  }

  /** Nodes in the order in which what they take is there. */
  #byReadiness(nodes: readonly Draft[]): Draft[] {
    for (const [place, node] of nodes.entries()) node.place = place;
    const users = new Edges(nodes.length);
    const open = new Uint32Array(nodes.length);
    for (const [place, node] of nodes.entries())
      forEachName(node, (name) => {
        const from = this.#nodes.get(name)?.place ?? NOWHERE;
        if (from < nodes.length && users.add(from, place)) open[place] = (open[place] ?? 0) + 1;
      });
    const ready = [...open.keys()].filter((place) => open[place] === 0);
    for (const place of ready)
      users.forEach(place, (user) => {
        open[user] = (open[user] ?? 0) - 1;
        if (open[user] === 0) ready.push(user);
      });
    const ordered = ready.flatMap((place) => nodes[place] ?? []);
    for (const [place, node] of ordered.entries()) node.place = place;
    return ordered;
  }

  #take(inputs: readonly TensorRef[], user: Draft): void {
    this.#order = undefined;
    for (const { node } of inputs) this.#nodes.get(node)?.users.push(user);
  }

  #release(inputs: readonly TensorRef[], user: Draft): void {
    this.#order = undefined;
    for (const { node: name } of inputs) {
      const node = this.#nodes.get(name);
      if (node === undefined) continue;
      node.users.splice(node.users.indexOf(user), 1);
      if (node.users.length === 0) this.#loose.push(node);
    }
  }

  #setInputs(node: Draft, inputs: readonly TensorRef[]): void {
    const before = node.inputs;
    node.inputs = inputs;
    // An input that stays may have thousands of users.
    this.#take(
      inputs.filter((ref, at) => ref !== before[at]),
      node,
    );
    this.#release(
      before.filter((ref, at) => ref !== inputs[at]),
      node,
    );
  }

  #redirect(node: Draft, to: (index: number) => TensorRef): void {
    for (const user of new Set(node.users))
      this.#setInputs(
        user,
        user.inputs.map((ref) => (ref.node === node.name ? to(ref.index) : ref)),
      );
  }

  #bypass(node: Draft): void {
    const [input] = node.inputs;
    if (!this.has(node) || input === undefined || node.isCompiled || !PASSING.has(node.op)) return;
    if (!this.isKept(node) && !this.isGuarded(node)) this.#redirect(node, () => input);
  }

  #shapeValue(node: Draft): HostTensor | undefined {
    if (!SIZES.has(node.op) || this.isKept(node)) return undefined;
    const shape = this.shape(node.inputs[0]);
    if (shape === null) return undefined;
    if (node.op === 'Rank') return hostTensorOf('int32', [], [shape.length]);
    if (shape.some((size) => size < 0)) return undefined;
    const dtype = node.attributes.get('out_type')?.type === INT64 ? 'int64' : 'int32';
    return node.op === 'Shape'
      ? hostTensorOf(dtype, [shape.length], shape)
      : hostTensorOf(dtype, [], [shape.reduce((count, size) => count * size, 1)]);
  }

  #computed(node: Draft): HostTensor | undefined {
    const inputs: HostTensor[] = [];
    for (const input of node.inputs) {
      const value = this.valueOf(input);
      if (value === undefined) return undefined;
      inputs.push(value);
    }
    if (APART.test(node.op) || this.isKept(node)) return undefined;
    const value = inputs.length === 0 ? undefined : foldNode(finishedNode(node), inputs);
    const largest = Math.max(MAX_FOLDED_BYTES, ...inputs.map(({ data }) => data.byteLength));
    return value !== undefined && value.data.byteLength <= largest ? value : undefined;
  }
}

/** Visits the names of the nodes that a node takes or waits for. */
function forEachName({ inputs, controls }: Draft, visit: (name: string) => void): void {
  for (const { node } of inputs) visit(node);
  for (const name of controls) visit(name);
}

function finishedNode({ name, op, inputs, attributes, controls, original, value }: Draft): GraphNode {
  if (original !== undefined) {
    const isSame =
      inputs.length === original.inputs.length && inputs.every((ref, i) => ref === original.inputs[i]);
    return isSame ? original : { ...original, inputs };
  }
  const node = { name, op, inputs, attributes, ...(controls.length > 0 && { controls }) };
  return value === undefined ? node : { ...node, op: 'Const', inputs: [], value: fromHostTensor(value) };
}

const UNARY =
  /^(Acosh?|Asinh?|Atanh?|Ceil|Elu|Erfc?|Exp|Expm1|Floor|Log|Log1p|Relu6?|Rint|Selu|Sigmoid|Sign|Sinh|Softsign|Softplus|R?[Ss]qrt|Tanh|Neg|Square|Reciprocal|Identity)$/;
const BROADCAST = /^(Add|AddV2|AddN|Sub|Mul|RealDiv|Div|MulNoNan)$/;

/** Shape of the output of a node that a rewrite has made. */
function shapeOfNew(op: string, inputs: readonly Shape[]): Shape {
  if (UNARY.test(op)) return inputs[0] ?? null;
  return BROADCAST.test(op) && inputs.length > 0 ? broadcast(inputs) : null;
}

function constantKey({ op, value }: Draft): string {
  const { dtype = op, shape = [], data = [] } = value ?? {};
  return `${dtype} ${shape.join()} ${data[0]} ${data.at(-1)}`;
}

function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function label({ node, index }: TensorRef): string {
  return index === 0 ? node : `${node}:${index}`;
}

function byLabel(one: TensorRef, other: TensorRef): number {
  return label(one) < label(other) ? -1 : 1;
}

function isSorted(refs: readonly TensorRef[]): boolean {
  return refs.every((ref, at) => at === 0 || label(refs[at - 1] ?? ref) <= label(ref));
}

function isEqual(one: Draft, other: Draft): boolean {
  if (one.inputs.length !== other.inputs.length || one.controls.join() !== other.controls.join())
    return false;
  const isInput = ({ node, index }: TensorRef, place: number) =>
    other.inputs[place]?.node === node && other.inputs[place].index === index;
  if (!one.inputs.every(isInput)) return false;
  const [a, b] = [one.value, other.value];
  if (a !== undefined || b !== undefined)
    return (
      a?.dtype === b?.dtype && isDeepStrictEqual(a?.shape, b?.shape) && isDeepStrictEqual(a?.data, b?.data)
    );
  return areAlike(one.op, one.attributes, other.attributes);
}
