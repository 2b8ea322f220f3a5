import type { FunctionDef, NodeDef } from './graph-def.ts';
import { dataInputs, functionOf, type Nodes, partBehind, typeList } from './graph-functions.ts';
import { parseTensorRef, tensorName } from './graph-node.ts';

/** Dependency of one input of a `Merge`. */
interface Side {
  readonly root: string;
  /** The `Switch`es behind it, by the tensor that it takes of them. */
  readonly choices: ReadonlyMap<string, NodeDef>;
  /** Tensors that decide whether it runs, and the output of a `Switch` by which they do. */
  readonly predicates: ReadonlyMap<string, number>;
}

/**
 * Turns branches of TensorFlow 1 (`Switch` lets a tensor go one way, and `Merge` takes whichever arrives) into `If` with functions,
 * inner branches first. Other forms are left as they are, and so refused by name.
 */
export function structureBranches(nodes: Nodes, functions: Map<string, FunctionDef>): void {
  const merges = [...nodes.values()].filter(({ op }) => op === 'Merge');
  const done = new Set<string>();
  for (const { name } of merges) structureMerge(name, nodes, functions, done, 0);
}

/** Branches may lie in branches, but not as deep as this. */
const MAX_DEPTH = 100;

function structureMerge(
  name: string,
  nodes: Nodes,
  functions: Map<string, FunctionDef>,
  done: Set<string>,
  depth: number,
): void {
  const merge = nodes.get(name);
  if (merge?.op !== 'Merge' || done.has(name) || depth > MAX_DEPTH) return;
  done.add(name);
  const opOf = (input: string) => nodes.get(parseTensorRef(input).node)?.op;
  if (dataInputs(merge).some((input) => opOf(input) === 'NextIteration')) return;
  const inner = (other: string) => structureMerge(other, nodes, functions, done, depth + 1);
  const sides = dataInputs(merge).map((root) => sideOf(root, nodes, inner));
  const [first, second] = sides;
  if (first === undefined || second === undefined || sides.length !== 2) return;
  const predicates = new Set(sides.flatMap((side) => [...side.predicates.keys()]));
  const [predicate] = predicates;
  if (predicate === undefined || predicates.size !== 1 || opOf(predicate) === 'LoopCond') return;
  const [one, other] = [first.predicates.get(predicate), second.predicates.get(predicate)];
  const isFirstTrue = one === 1 || other === 0;
  if (one === other || one === BOTH || other === BOTH) return;
  const choices = new Map([...first.choices, ...second.choices]);
  const switches = [...new Set(choices.values())];
  const given = switches.map((_, index) => `${name}/given_${index}`);
  const replaced = new Map(
    [...choices].map(([tensor, choice]) => [tensor, given[switches.indexOf(choice)] ?? '']),
  );
  const branches = [isFirstTrue ? first : second, isFirstTrue ? second : first].map(({ root }, index) => {
    const branch = `${name}/${index === 0 ? 'then' : 'else'}`;
    const { part, roots } = partBehind(nodes, [root], replaced);
    functions.set(branch, functionOf(branch, part, given, roots));
    return branch;
  });
  const [taken = '', otherwise = ''] = branches;
  const typeOf = (node: NodeDef) => node.attributes.get('T')?.type ?? 0;
  nodes.set(name, {
    name,
    op: 'If',
    inputs: [predicate, ...switches.map(({ inputs }) => inputs[0] ?? '')],
    attributes: new Map([
      ['then_branch', { functionName: taken }],
      ['else_branch', { functionName: otherwise }],
      ['Tin', typeList(switches.map(typeOf))],
      ['Tout', typeList([typeOf(merge)])],
    ]),
  });
}

/** A predicate with both outputs leading to one side. */
const BOTH = -1;

function sideOf(root: string, nodes: Nodes, structure: (merge: string) => void): Side {
  const choices = new Map<string, NodeDef>();
  const predicates = new Map<string, number>();
  const seen = new Set<string>();
  const decide = (choice: NodeDef, index: number) => {
    const predicate = handedOn(choice.inputs[1] ?? '', nodes);
    const known = predicates.get(predicate);
    predicates.set(predicate, known === undefined || known === index ? index : BOTH);
  };
  const open = [root];
  for (let input = open.pop(); input !== undefined; input = open.pop()) {
    const { node: name, index } = parseTensorRef(input);
    structure(name);
    const node = nodes.get(name);
    if (node?.op === 'Switch') {
      choices.set(tensorName({ node: name, index }), node);
      decide(node, index);
      continue;
    }
    if (node === undefined || seen.has(name)) continue;
    seen.add(name);
    open.push(...dataInputs(node));
    // A constant has no inputs; only the pivot of its branch says where it belongs.
    for (const control of node.inputs.filter((one) => one.startsWith('^'))) {
      const pivot = nodes.get(control.slice(1));
      const { node: source, index: side } = parseTensorRef(pivot?.inputs[0] ?? '');
      const choice = nodes.get(source);
      if (pivot?.op === 'Identity' && choice?.op === 'Switch') decide(choice, side);
    }
  }
  return { root, choices, predicates };
}

/** The tensor behind nodes that only hand it on. */
function handedOn(input: string, nodes: Nodes): string {
  let current = input;
  for (let hops = 0; hops < 1000; hops++) {
    const node = nodes.get(parseTensorRef(current).node);
    if (node?.op !== 'Identity') break;
    current = node.inputs[0] ?? '';
  }
  return tensorName(parseTensorRef(current));
}
