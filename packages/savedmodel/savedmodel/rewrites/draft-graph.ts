import type { HostTensor } from '../../host/host-tensor.ts';
import { broadcast } from '../../onnx/known-tensors.ts';
import type { FrozenGraph } from '../frozen-graph.ts';
import { tensorName, type TensorRef } from '../graph-node.ts';
import { nodesInOrder } from '../node-order.ts';
import { BrokenModel } from '../servable-model.ts';
import type { Shape } from '../tensor-proto.ts';
import { Draft, finishedNode, outputOf } from './draft.ts';
import { byReadiness, fromResults } from './draft-order.ts';
import { constantOf } from './fold-draft.ts';
import { mergeEqual } from './merge-drafts.ts';

/** Facts of a graph that the optimizer must know besides its nodes. */
export interface OptimizedScope {
  /** Tensors that are wanted: each counts as one that takes it. */
  readonly results: readonly TensorRef[];
  /** Names of nodes that callers fetch or feed themselves, which stay what they are. */
  readonly kept: ReadonlySet<string>;
  /** Shapes of the tensors of the graph as it was, as far as TensorFlow's optimizer knows them. */
  readonly shape: (ref: TensorRef) => Shape;
}

const PASSING: ReadonlySet<string> = new Set(['Identity', 'StopGradient', 'PreventGradient']);

/** A graph that is being rewritten, which knows the users of each node all the time. */
export class DraftGraph {
  readonly #scope: OptimizedScope;
  readonly #nodes = new Map<string, Draft>();
  readonly #find = (name: string) => this.#nodes.get(name);
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

  /** Nodes that take a node, by its name. */
  usersOf(name: string): readonly Draft[] {
    return this.#nodes.get(name)?.users ?? [];
  }

  isResult({ name }: Draft): boolean {
    return this.#wanted.has(name);
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

  /** Equal nodes become one. */
  merge(): void {
    this.#sequence = byReadiness(fromResults(this.#scope.results, this.#find), this.#find);
    mergeEqual(this.#sequence, this);
    this.moved.clear();
    this.settle();
  }

  /** Those who take the node take another tensor instead, by the output. */
  redirect(node: Draft, to: (index: number) => TensorRef): void {
    for (const user of new Set(node.users))
      this.#setInputs(
        user,
        user.inputs.map((ref) => (ref.node === node.name ? to(ref.index) : ref)),
      );
  }

  /** The nodes in order, and those that are added meanwhile. */
  *inSequence(): Iterable<Draft> {
    for (const node of this.#sequence) if (this.has(node)) yield node;
  }

  /** The nodes in order, each behind what it takes. */
  sorted(): Draft[] {
    return byReadiness([...this.inSequence()], this.#find);
  }

  /** Computes what depends only on constants. */
  fold(): void {
    const queue = [...this.inSequence()];
    for (const node of queue) {
      const value = constantOf(node, this);
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

  #bypass(node: Draft): void {
    const [input] = node.inputs;
    if (!this.has(node) || input === undefined || node.isCompiled || !PASSING.has(node.op)) return;
    if (!this.isKept(node) && !this.isGuarded(node)) this.redirect(node, () => input);
  }
}

const UNARY =
  /^(Acosh?|Asinh?|Atanh?|Ceil|Elu|Erfc?|Exp|Expm1|Floor|Log|Log1p|Relu6?|Rint|Selu|Sigmoid|Sign|Sinh|Softsign|Softplus|R?[Ss]qrt|Tanh|Neg|Square|Reciprocal|Identity)$/;
const BROADCAST = /^(Add|AddV2|AddN|Sub|Mul|RealDiv|Div|MulNoNan)$/;

/** Shape of the output of a node that a rewrite has made. */
function shapeOfNew(op: string, inputs: readonly Shape[]): Shape {
  if (UNARY.test(op)) return inputs[0] ?? null;
  return BROADCAST.test(op) && inputs.length > 0 ? broadcast(inputs) : null;
}
