import type { ArgDef, Attributes, FunctionDef, NodeDef } from './graph-def.ts';
import { type GraphNode, inputOf, parseTensorRef, tensorName, type TensorRef } from './graph-node.ts';
import { knownTruth } from './known-truth.ts';
import { isDefined, placeOfOutput } from './operation-definition.ts';
import { BrokenModel } from './servable-model.ts';

/** Functions may call functions, and a small file may so describe a graph without end. */
const MAX_NODES = 500_000;
const MAX_DEPTH = 100;

const CONDITIONALS: ReadonlySet<string> = new Set(['If', 'StatelessIf']);

/** Definitions that function bodies refer to. */
export interface Library {
  readonly functions: ReadonlyMap<string, FunctionDef>;
  /** Whether assertions in loops and branches are checked. */
  readonly isAsserted?: boolean;
}

/** Nodes by name, with every function call replaced by the function's body, and every `If` with a known predicate by its branch. */
export interface FlatGraph {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** Follows a reference to a call through to the tensor that the function returns. */
  resolve(ref: TensorRef): TensorRef;
}

/** A function as a graph: argument i is the node `arguments[i]`, of op `_Arg`. */
export interface FlatFunction extends FlatGraph {
  readonly arguments: readonly string[];
  readonly results: readonly TensorRef[];
}

/**
 * @param fed names of nodes with a value from the caller; a predicate that depends on one is not known
 * @throws {BrokenModel} if calls go in a circle or nodes refer to missing nodes
 */
export function flattenGraph(
  nodes: readonly NodeDef[],
  library: Library,
  fed: ReadonlySet<string>,
): FlatGraph {
  const flat = new Flattening(library, fed);
  for (const node of nodes) flat.add(node, '', (input) => parseTensorRef(input), 0);
  return flat.finish();
}

/** @throws {BrokenModel} if no function has that name, or as for {@link flattenGraph} */
export function flattenFunction(name: string, library: Library): FlatFunction {
  const flat = new Flattening(library, new Set());
  const definition = flat.definition(name);
  const names = definition.signature.inputs.map((argument) => argument.name);
  names.forEach((argument) => flat.addArgument(argument));
  const results = flat.addBody(
    definition,
    '',
    names.map((node) => ({ node, index: 0 })),
    0,
  );
  const graph = flat.finish();
  return { ...graph, arguments: names, results: results.map((ref) => graph.resolve(ref)) };
}

type ResolveInput = (input: string) => TensorRef;

/** An `If`, judged once all nodes are there that its predicate may depend on. */
interface Conditional {
  readonly node: GraphNode;
  readonly depth: number;
}

class Flattening {
  readonly #library: Library;
  readonly #fed: ReadonlySet<string>;
  readonly #conditionals: Conditional[] = [];
  /** Beginnings of the names of nodes in functions that TensorFlow compiles. */
  readonly #compiled: string[] = [];
  readonly #nodes = new Map<string, GraphNode>();
  readonly #aliases = new Map<string, TensorRef>();

  constructor(library: Library, fed: ReadonlySet<string>) {
    this.#library = library;
    this.#fed = fed;
  }

  definition(name: string): FunctionDef {
    const definition = this.#library.functions.get(name);
    if (definition === undefined) throw new BrokenModel(`Function ${name} is called but not defined`);
    return definition;
  }

  addArgument(name: string): void {
    this.#nodes.set(name, { name, op: '_Arg', inputs: [], attributes: new Map() });
  }

  add(node: NodeDef, prefix: string, resolveInput: ResolveInput, depth: number): void {
    const name = prefix + node.name;
    const inputs = node.inputs.filter((input) => !isControl(input)).map(resolveInput);
    const callee = calledFunction(node, this.#library);
    if (callee !== undefined) {
      if (node.attributes.get('_XlaMustCompile')?.bool === true) this.#compiled.push(`${name}/`);
      this.#replace(name, callee, `${name}/`, inputs, depth);
      return;
    }
    if (this.#nodes.size >= MAX_NODES) throw new BrokenModel(`The graph has more than ${MAX_NODES} nodes`);
    const controls = node.inputs.filter(isControl).map((input) => prefix + input.slice(1));
    const isCompiled = this.#compiled.some((call) => name.startsWith(call));
    const added = { name, op: node.op, inputs, controls, attributes: node.attributes, isCompiled };
    this.#nodes.set(name, added);
    if (CONDITIONALS.has(node.op)) this.#conditionals.push({ node: added, depth });
  }

  /** Puts a function's body where a node is or would be, and its results instead of the node's outputs. */
  #replace(node: string, callee: string, prefix: string, inputs: readonly TensorRef[], depth: number): void {
    const results = this.addBody(this.definition(callee), prefix, inputs, depth + 1);
    results.forEach((result, index) => this.#aliases.set(tensorName({ node, index }), result));
  }

  /** Adds the nodes of a function and returns the tensors that its outputs stand for. */
  addBody(definition: FunctionDef, prefix: string, given: readonly TensorRef[], depth: number): TensorRef[] {
    if (depth > MAX_DEPTH) throw new BrokenModel(`Function ${definition.signature.name} calls itself`);
    const byName = new Map(definition.nodes.map((node) => [node.name, node]));
    const parameters = new Map<string, TensorRef>();
    definition.signature.inputs.forEach((argument, index) => {
      const input = given[index];
      if (input === undefined)
        throw new BrokenModel(`${definition.signature.name}: argument ${argument.name} is missing`);
      parameters.set(argument.name, input);
    });
    const resolveInput: ResolveInput = (input) => {
      const [name = '', argument = '', offset = '0'] = input.split(':');
      const parameter = parameters.get(name);
      if (parameter !== undefined) return parameter;
      const node = byName.get(name);
      if (node === undefined)
        throw new BrokenModel(`${definition.signature.name}: node ${name} does not exist`);
      return { node: prefix + name, index: this.#outputIndex(node, argument, Number(offset)) };
    };
    for (const node of definition.nodes) this.add(node, prefix, resolveInput, depth);
    return definition.signature.outputs.map(({ name }) => {
      const returned = definition.returns.get(name);
      if (returned === undefined) throw new BrokenModel(`${definition.signature.name}: returns no ${name}`);
      return resolveInput(returned);
    });
  }

  finish(): FlatGraph {
    // Branches may hold conditionals themselves: the list grows meanwhile.
    for (const conditional of this.#conditionals) this.#takeKnownBranch(conditional);
    const nodes = new Map<string, GraphNode>();
    for (const [name, node] of this.#nodes) nodes.set(name, this.#resolveInputs(node));
    return { nodes, resolve: (ref) => this.#resolve(ref) };
  }

  #takeKnownBranch({ node, depth }: Conditional): void {
    const nodeOf = (name: string) => {
      const found = this.#nodes.get(name);
      return found && this.#resolveInputs(found);
    };
    const truth = knownTruth(this.#resolve(inputOf(node, 0)), nodeOf, this.#fed);
    if (truth === undefined || this.#fed.has(node.name)) return;
    const branch = truth ? 'then_branch' : 'else_branch';
    this.#nodes.delete(node.name);
    const callee = node.attributes.get(branch)?.functionName ?? '';
    this.#replace(node.name, callee, `${node.name}/${branch}/`, node.inputs.slice(1), depth);
  }

  #resolveInputs(node: GraphNode): GraphNode {
    return { ...node, inputs: node.inputs.map((ref) => this.#resolve(ref)) };
  }

  #resolve(ref: TensorRef): TensorRef {
    let current = ref;
    for (let hops = 0; hops <= MAX_DEPTH * 2; hops++) {
      const next = this.#aliases.get(tensorName(current));
      if (next === undefined) return current;
      current = next;
    }
    throw new BrokenModel(`Tensor ${tensorName(ref)} refers to itself`);
  }

  /** Inside functions a tensor is named by output argument and place in it; elsewhere by one running number. */
  #outputIndex(node: NodeDef, argument: string, offset: number): number {
    const called = this.#library.functions.get(node.op)?.signature;
    // An operation that is not defined has no converter, and is refused by name where anything needs it.
    if (called === undefined)
      return argument === '' || !isDefined(node.op) ? offset : placeOfOutput(node, argument, offset);
    let index = offset;
    for (const output of called.outputs) {
      if (output.name === argument) return index;
      index += argumentLength(output, node.attributes);
    }
    throw new BrokenModel(`Node ${node.name}: function ${node.op} returns no ${argument}`);
  }
}

function isControl(input: string): boolean {
  return input.startsWith('^');
}

function argumentLength(argument: ArgDef, attributes: Attributes): number {
  if (argument.numberAttr !== '') return attributes.get(argument.numberAttr)?.int ?? 1;
  if (argument.typeListAttr !== '') return attributes.get(argument.typeListAttr)?.list?.types.length ?? 1;
  return 1;
}

function calledFunction(node: NodeDef, library: Library): string | undefined {
  if (node.op === 'PartitionedCall' || node.op === 'StatefulPartitionedCall')
    return node.attributes.get('f')?.functionName ?? '';
  // TensorFlow 1 calls a function by using its name as the op.
  return library.functions.has(node.op) ? node.op : undefined;
}
