import type { FunctionDef, NodeDef } from './graph-def.ts';
import { functionOf, type Nodes, partBehind, typeList } from './graph-functions.ts';
import { parseTensorRef, tensorName } from './graph-node.ts';
import { structureBranches } from './structured-branches.ts';

/** A variable that changes from turn to turn: `Enter` and `NextIteration` meet in `merge`, and `choice` lets it go on or out. */
interface LoopVariable {
  readonly enter: NodeDef;
  readonly next: NodeDef;
  readonly merge: NodeDef;
  readonly choice: NodeDef | undefined;
  readonly exit: NodeDef | undefined;
}

interface Frame {
  readonly name: string;
  readonly variables: readonly LoopVariable[];
  readonly condition: string;
  /** `Enter`s of values that are the same in every turn. */
  readonly constants: readonly NodeDef[];
}

const ENTERS: ReadonlySet<string> = new Set(['Enter', 'RefEnter']);

/**
 * Loops of TensorFlow 1, which are circles in the graph, as `While` with functions, inner loops first. What has another form is
 * left as it is, and so refused by name.
 */
export function structureLoops(nodes: Nodes, functions: Map<string, FunctionDef>): void {
  let waiting = framesOf(nodes);
  for (;;) {
    const later = waiting.filter((frame) => !structureLoop(frame, nodes, functions));
    if (later.length === waiting.length) return;
    waiting = later;
  }
}

function framesOf(nodes: Nodes): Frame[] {
  const at = (input: string | undefined) => nodes.get(parseTensorRef(input ?? '').node);
  const choices = new Map<string, NodeDef>();
  for (const node of nodes.values()) {
    if (node.op === 'Switch' && at(node.inputs[1])?.op === 'LoopCond')
      choices.set(parseTensorRef(node.inputs[0] ?? '').node, node);
  }
  const exits = new Map<string, NodeDef>();
  const turning = new Map<NodeDef, Pick<LoopVariable, 'merge' | 'next'>>();
  const frames = new Map<string, NodeDef[]>();
  for (const node of nodes.values()) {
    if (node.op === 'Exit') exits.set(tensorName(parseTensorRef(node.inputs[0] ?? '')), node);
    if (ENTERS.has(node.op)) {
      const name = Buffer.from(node.attributes.get('frame_name')?.text ?? []).toString();
      frames.set(name, [...(frames.get(name) ?? []), node]);
    }
    const [enter, next] = [at(node.inputs[0]), at(node.inputs[1])];
    if (node.op === 'Merge' && next?.op === 'NextIteration' && enter !== undefined)
      turning.set(enter, { merge: node, next });
  }
  return [...frames].flatMap(([name, enters]) => {
    const variables = enters.flatMap((enter): LoopVariable[] => {
      const own = turning.get(enter);
      if (own === undefined) return [];
      const choice = choices.get(own.merge.name);
      return [{ enter, ...own, choice, exit: choice && exits.get(`${choice.name}:0`) }];
    });
    const condition = at(variables.find(({ choice }) => choice !== undefined)?.choice?.inputs[1])?.inputs[0];
    if (condition === undefined) return [];
    return [{ name, variables, condition, constants: enters.filter((enter) => !turning.has(enter)) }];
  });
}

/** False while a loop inside it is still a circle. */
function structureLoop(frame: Frame, nodes: Nodes, functions: Map<string, FunctionDef>): boolean {
  const { name, variables, constants, condition } = frame;
  const replaced = new Map<string, string>();
  const given = [
    ...variables.map((_, index) => `${name}/variable_${index}`),
    ...constants.map((_, index) => `${name}/constant_${index}`),
  ];
  variables.forEach(({ merge, choice }, index) => {
    const argument = given[index] ?? '';
    replaced.set(`${merge.name}:0`, argument);
    if (choice !== undefined) replaced.set(`${choice.name}:1`, argument);
  });
  constants.forEach((enter, index) => replaced.set(`${enter.name}:0`, given[variables.length + index] ?? ''));
  const test = partBehind(nodes, [condition], replaced);
  const turn = partBehind(
    nodes,
    variables.map(({ next }) => next.inputs[0] ?? ''),
    replaced,
  );
  const isOpen = [...test.part.values(), ...turn.part.values()].some(({ op }) => CIRCLES.has(op));
  if (isOpen) return false;
  structureBranches(test.part, functions);
  structureBranches(turn.part, functions);
  const [cond, body] = [`${name}/cond`, `${name}/body`];
  functions.set(cond, functionOf(cond, test.part, given, test.roots));
  functions.set(body, functionOf(body, turn.part, given, [...turn.roots, ...given.slice(variables.length)]));
  const entries = [...variables.map(({ enter }) => enter), ...constants];
  const loop = `${name}/while`;
  nodes.set(loop, {
    name: loop,
    op: 'While',
    inputs: entries.map(({ inputs }) => inputs[0] ?? ''),
    attributes: new Map([
      ['cond', { functionName: cond }],
      ['body', { functionName: body }],
      ['T', typeList(entries.map(({ attributes }) => attributes.get('T')?.type ?? 0))],
    ]),
  });
  variables.forEach(({ exit }, index) => {
    if (exit !== undefined) nodes.set(exit.name, { ...exit, op: 'Identity', inputs: [`${loop}:${index}`] });
  });
  return true;
}

const CIRCLES: ReadonlySet<string> = new Set(['Exit', 'NextIteration', 'LoopCond', ...ENTERS]);
