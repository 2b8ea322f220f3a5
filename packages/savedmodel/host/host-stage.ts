import { ASSERT } from '../savedmodel/assertions.ts';
import type { Library } from '../savedmodel/flatten-functions.ts';
import type { FrozenGraph } from '../savedmodel/frozen-graph.ts';
import { type GraphNode, tensorName, type TensorRef } from '../savedmodel/graph-node.ts';
import { nodesInOrder } from '../savedmodel/node-order.ts';
import { isDefined, reading } from '../savedmodel/operation-definition.ts';
import { BrokenModel, type DType, UnsupportedModel } from '../savedmodel/servable-model.ts';
import { DECODERS, readDecoding } from './decoder.ts';
import { isHostOperation } from './evaluate.ts';
import { findMapLoops, type MapLoop } from './image-loop.ts';
import { outputType } from './output-type.ts';
import { refusedForm } from './text/text-operation.ts';
import { isOnTexts, movesStrings, TABLES, textOperation } from './text/text-operations.ts';

const DECODING: ReadonlySet<string> = new Set([...DECODERS, 'DecodeBase64']);
/** Operations that every stage has for itself. */
const HELD: ReadonlySet<string> = new Set(['Const', ...TABLES]);
const GIVEN: ReadonlySet<string> = new Set(['Const', 'Placeholder']);

/** A tensor that one stage hands on to ONNX, or ONNX to the other. */
interface Cut {
  readonly ref: TensorRef;
  readonly dtype: Exclude<DType, 'string'>;
}

/** Nodes that run on the host, in order of evaluation. */
export interface HostStage {
  readonly nodes: readonly GraphNode[];
  readonly loops: ReadonlyMap<string, MapLoop>;
}

/** A graph in three parts: the host's, ONNX's, and the host's again. */
export interface Stages {
  readonly before: HostStage;
  readonly after: HostStage;
  /** Tensors that go from the host to ONNX. */
  readonly cuts: readonly Cut[];
  /** Tensors of the first stage that the last one takes, or that are answers. */
  readonly kept: readonly TensorRef[];
  /** ONNX's part, for these tensors of it that the last stage takes, and for answers. */
  readonly dense: FrozenGraph;
  readonly wanted: readonly Cut[];
  /** Whether the host has this answer. */
  isOnHost(ref: TensorRef): boolean;
}

/**
 * Splits off the operations on strings, tables and ragged rows, which ONNX lacks. Those that don't depend on the network run before it,
 * the others after it.
 *
 * @param assertions names of assertion nodes, which run in addition to the nodes that the outputs need, each in the stage that has its
 * tensors
 * @throws {UnsupportedModel} if those parts need operations that the host does not know
 */
export function splitStages(
  graph: FrozenGraph,
  outputs: readonly TensorRef[],
  library: Library,
  assertions: readonly string[] = [],
): Stages {
  const loops = new Map(findMapLoops(graph, library, isHosts).map((loop) => [loop.output, loop]));
  const nodeOf = (name: string): GraphNode => {
    const node = graph.get(name);
    if (node === undefined) throw new BrokenModel(`The graph has no node ${name}`);
    const loop = loops.get(name);
    if (loop === undefined) return node;
    const stacked = loop.elements.map((element) => element.stacked);
    return { ...node, inputs: [...stacked, ...loop.captured.map(({ outer }) => outer)] };
  };
  const { first, last } = placesOf([...graph.keys()].map(nodeOf), loops);
  const isText = (name: string) => GIVEN.has(nodeOf(name).op) && isOnTexts(nodeOf(name));
  const isBefore = ({ node }: TensorRef) => first.has(node) || isText(node);

  const after = nodesInOrder(
    [...outputs.map(({ node }) => node), ...assertions].filter((name) => last.has(name)),
    (name) => (last.has(name) ? nodeOf(name) : { ...nodeOf(name), inputs: [] }),
  ).filter(({ name, op }) => last.has(name) || HELD.has(op));
  const taken = after.flatMap(({ inputs }) => inputs);
  const handed = taken.filter(({ node }) => !last.has(node) && !HELD.has(nodeOf(node).op));
  const isGiven = (ref: TensorRef) => isBefore(ref) || nodeOf(ref.node).op === 'Placeholder';
  const fromOnnx = distinct(handed.filter((ref) => !isGiven(ref)));
  const onHost = (ref: TensorRef) => last.has(ref.node) || isBefore(ref);
  const kept = distinct([...handed.filter(isGiven), ...outputs.filter(isBefore)]);

  const roots = [...outputs.filter((ref) => !onHost(ref)), ...fromOnnx];
  const dense = nodesInOrder(
    [...roots.map(({ node }) => node), ...assertions.filter((name) => !last.has(name) && !first.has(name))],
    (name) => (isBefore({ node: name, index: 0 }) ? { ...nodeOf(name), inputs: [] } : nodeOf(name)),
  );
  const backwards = dense.find(({ inputs }) => inputs.some(({ node }) => last.has(node)));
  if (backwards !== undefined)
    throw new UnsupportedModel([`${backwards.op} (on texts that the network has chosen)`], backwards.name);
  const cuts = distinct(dense.flatMap(({ inputs }) => inputs.filter(isBefore)));
  const before = nodesInOrder(
    [...[...cuts, ...kept].map(({ node }) => node), ...assertions.filter((name) => first.has(name))],
    nodeOf,
  );
  // Neither ONNX nor the host has these; what stands behind them is not to blame.
  const foreign = dense.filter(({ op }) => !GIVEN.has(op) && !isDefined(op)).map(({ op }) => op);
  if (foreign.length > 0) throw new UnsupportedModel([...new Set(foreign)].sort());
  for (const { name } of before) refuseUnknown(loops.get(name)?.body ?? [], IN_MAP);
  refuseUnknown(before.filter(({ name }) => !loops.has(name)));
  refuseUnknown(after);
  const toCut = (ref: TensorRef): Cut => {
    const taker = dense.find(({ inputs }) => inputs.some((input) => tensorName(input) === tensorName(ref)));
    return { ref, dtype: denseType(nodeOf(ref.node), ref.index, taker ?? nodeOf(ref.node)) };
  };
  return {
    before: { nodes: before, loops },
    after: { nodes: after, loops: new Map() },
    cuts: cuts.map(toCut),
    kept,
    dense: new Map(dense.map((node) => [node.name, node])),
    wanted: fromOnnx.map(toCut),
    isOnHost: onHost,
  };
}

/** Names of the nodes that must run on the host: in the first stage where the host can do all that lies behind them. */
function placesOf(nodes: readonly GraphNode[], loops: ReadonlyMap<string, MapLoop>) {
  const [first, last, possible, behind] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  for (const node of nodes) {
    const isPossible =
      node.inputs.every((ref) => possible.has(ref.node)) && (loops.has(node.name) || isKnown(node));
    if (isPossible) possible.add(node.name);
    if (node.inputs.some((ref) => first.has(ref.node) || behind.has(ref.node))) behind.add(node.name);
    const isOfTexts = node.op === ASSERT && isPossible && behind.has(node.name);
    const isOwn = loops.has(node.name) || isHosts(node) || isOfTexts;
    if (node.inputs.some((ref) => last.has(ref.node)) || (isOwn && !isPossible)) last.add(node.name);
    else if (isOwn && !GIVEN.has(node.op)) first.add(node.name);
  }
  return { first, last };
}

/** Whether ONNX has nothing of the kind. */
function isHosts(node: GraphNode): boolean {
  return DECODING.has(node.op) || isOnTexts(node);
}

function distinct(refs: readonly TensorRef[]): TensorRef[] {
  return [...new Map(refs.map((ref) => [tensorName(ref), ref])).values()];
}

/** @param taker the node that ONNX would compute from it */
function denseType(node: GraphNode, index: number, taker: GraphNode): Exclude<DType, 'string'> {
  const dtype = outputType(node, index);
  if (dtype === 'string') throw new UnsupportedModel([`${taker.op} (strings)`], `node ${taker.name}`);
  return dtype;
}

/** Whether the host has the operation, for strings if it is on strings. */
function isKnown(node: GraphNode): boolean {
  if (GIVEN.has(node.op) || TABLES.has(node.op) || DECODING.has(node.op)) return true;
  if (textOperation(node) !== undefined) return true;
  return isHostOperation(node) && (!isOnTexts(node) || movesStrings(node));
}

/** Where an operation stands that ONNX has and the host has not, and how the model can do without it. */
interface HostPlace {
  readonly words: string;
  readonly remedy?: string;
}

const IN_MAP: HostPlace = {
  words: 'in a map over encoded images',
  remedy:
    'this operation runs here outside of tf.map_fn: only decode in the map and do the rest on the batch behind it, ' +
    'export a signature of one image, or run with `--engine python`',
};
const AMID_TEXTS: HostPlace = { words: 'beside strings' };
const BEFORE_DECODING: HostPlace = { words: 'before the decoding of images' };

/** @throws {UnsupportedModel} naming the unknown operations; operations that ONNX also has only if no other one put them on the host */
function refuseUnknown(nodes: readonly GraphNode[], place = placeOf(nodes)): void {
  const missing = new Set<string>();
  const misplaced = new Set<string>();
  for (const node of nodes) {
    if (DECODERS.has(node.op)) {
      const decoding = reading(node, readDecoding);
      if (typeof decoding === 'string') missing.add(`${node.op} (${decoding})`);
    } else if (!isKnown(node)) {
      if (isOnTexts(node)) missing.add(`${node.op} (strings)`);
      else if (isDefined(node.op)) misplaced.add(`${node.op} (${place.words})`);
      else missing.add(node.op);
    } else {
      const operation = textOperation(node);
      const form = operation && refusedForm(node, operation);
      for (const op of form?.ops ?? []) missing.add(op);
    }
  }
  if (missing.size > 0) throw new UnsupportedModel([...missing].sort());
  if (misplaced.size > 0) throw new UnsupportedModel([...misplaced].sort(), '', place.remedy);
}

function placeOf(nodes: readonly GraphNode[]): HostPlace {
  return nodes.some((node) => DECODING.has(node.op)) &&
    !nodes.some((node) => textOperation(node) !== undefined)
    ? BEFORE_DECODING
    : AMID_TEXTS;
}
