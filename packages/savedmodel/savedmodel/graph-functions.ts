import type { AttrValue, FunctionDef, NodeDef } from './graph-def.ts';
import { parseTensorRef, tensorName } from './graph-node.ts';

/** Nodes of a graph or of a part of it, by name. */
export type Nodes = Map<string, NodeDef>;

/** Op of a node that stands for an argument of a part that is to become a function. */
const ARGUMENT = '_Arg';

/** A list of element types as an attribute. */
export function typeList(types: readonly number[]): AttrValue {
  return { list: { ints: [], floats: [], types, texts: [], shapes: [] } };
}

/** The node's inputs without the control inputs (`^node`), which carry no tensor. */
export function dataInputs({ inputs }: NodeDef): string[] {
  return inputs.filter((input) => !input.startsWith('^'));
}

/** A node that stands for argument `name`. */
function argumentNode(name: string): NodeDef {
  return { name, op: ARGUMENT, inputs: [], attributes: new Map() };
}

/**
 * The nodes behind some tensors, with other tensors instead of some of them.
 *
 * @param replaced tensors, as `node:index`, and the argument that stands for each
 */
export function partBehind(
  nodes: Nodes,
  roots: readonly string[],
  replaced: ReadonlyMap<string, string>,
): { readonly part: Nodes; readonly roots: readonly string[] } {
  const part: Nodes = new Map();
  const rename = (input: string) => replaced.get(tensorName(parseTensorRef(input))) ?? input;
  const renamed = roots.map(rename);
  const open = [...renamed];
  for (const name of replaced.values()) part.set(name, argumentNode(name));
  for (let input = open.pop(); input !== undefined; input = open.pop()) {
    const { node: name } = parseTensorRef(input);
    const node = nodes.get(name);
    if (part.has(name) || node === undefined) continue;
    const inputs = node.inputs.map((one) => (one.startsWith('^') ? one : rename(one)));
    part.set(name, { ...node, inputs });
    open.push(...inputs.filter((one) => !one.startsWith('^')));
  }
  return { part, roots: renamed };
}

/** A part of a graph as a function. @param roots what it returns */
export function functionOf(
  name: string,
  part: Nodes,
  given: readonly string[],
  roots: readonly string[],
): FunctionDef {
  const places = new Set(given);
  // Inside a function, a tensor's name also has its output argument, which may be empty.
  const refer = (input: string) => {
    const { node, index } = parseTensorRef(input);
    return places.has(node) ? node : `${node}::${index}`;
  };
  const argument = (own: string) => ({ name: own, numberAttr: '', typeListAttr: '' });
  const returned = roots.map((root, index) => [`result_${index}`, refer(root)] as const);
  return {
    signature: {
      name,
      inputs: given.map(argument),
      outputs: returned.map(([own]) => argument(own)),
    },
    nodes: [...part.values()]
      .filter((node) => !places.has(node.name))
      .map((node) => ({ ...node, inputs: dataInputs(node).map(refer) })),
    returns: new Map(returned),
  };
}
