import { flattenFunction, type Library } from '../savedmodel/flatten-functions.ts';
import { freezeGraph, type FrozenGraph } from '../savedmodel/frozen-graph.ts';
import { attribute, type GraphNode, inputOf, tensorName, type TensorRef } from '../savedmodel/graph-node.ts';
import { nodesInOrder } from '../savedmodel/node-order.ts';
import { optimizeGraph } from '../savedmodel/optimized-graph.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';

/** A `tf.map_fn`: `body` computes one element of the result from one element of each of the inputs. */
export interface MapLoop {
  /** The node that outputs the stacked result. */
  readonly output: string;
  /** Tensors that are iterated over, and the node that stands for one element of each in the body. */
  readonly elements: readonly { readonly stacked: TensorRef; readonly element: string }[];
  /** Tensors that the body takes from outside as they are, under the name of a node of the body. */
  readonly captured: readonly { readonly outer: TensorRef; readonly inner: string }[];
  /** In order of evaluation. */
  readonly body: readonly GraphNode[];
  readonly result: TensorRef;
}

/**
 * Finds every `tf.map_fn` of a graph over strings, in the form of TensorFlow 2 (a loop function) or 1 (a cycle of nodes).
 *
 * @param isHosts operations that only the host has: a loop function without one is left to ONNX
 */
export function findMapLoops(
  graph: FrozenGraph,
  library: Library,
  isHosts: (node: GraphNode) => boolean,
): MapLoop[] {
  const loops: MapLoop[] = [];
  for (const node of graph.values()) {
    const loop =
      node.op === 'TensorListStack'
        ? functionLoop(node, graph, library, isHosts)
        : node.op === 'TensorArrayGatherV3'
          ? circleLoop(node, graph)
          : undefined;
    if (loop !== undefined) loops.push(loop);
  }
  return loops;
}

/** A `While` that reads with TensorListGetItem and writes with TensorListSetItem in its body; results leave by TensorListStack. */
function functionLoop(
  stack: GraphNode,
  graph: FrozenGraph,
  library: Library,
  isHosts: (node: GraphNode) => boolean,
): MapLoop | undefined {
  const list = skip(graph, inputOf(stack, 0));
  const loop = graph.get(list.node);
  if (loop === undefined || !['While', 'StatelessWhile'].includes(loop.op)) return undefined;
  const body = flattenFunction(attribute(loop, 'body').functionName ?? '', library);
  if (![...body.nodes.values()].some(isHosts)) return undefined;
  const written = skip(body.nodes, body.results[list.index]);
  const write = body.nodes.get(written.node);
  if (write?.op !== 'TensorListSetItem') return undefined;

  const readers = [...body.nodes.values()].filter((node) => node.op === 'TensorListGetItem');
  const feeds = [...readers.map(({ name }) => name), ...body.arguments].map((node) => ({ node, index: 0 }));
  const result = inputOf(write, 2);
  const frozen = freezeGraph(body, [result], feeds, ({ node }) => {
    throw new BrokenModel(`Loop ${loop.name} reads variable ${node}`);
  });
  const kept = new Set(feeds.map(({ node }) => node));
  const optimized = optimizeGraph(frozen, { results: [result], kept, shape: () => null });
  // A value that changes from iteration to iteration makes the loop something other than a map.
  const isSame = (name: string) => skip(body.nodes, body.results[body.arguments.indexOf(name)]).node === name;
  if (!body.arguments.every((name) => !frozen.has(name) || isSame(name))) return undefined;
  const outerOf = (argument: string) => inputOf(loop, body.arguments.indexOf(argument));
  return {
    output: stack.name,
    elements: readers
      .filter(({ name }) => frozen.has(name))
      .map((reader) => {
        const source = skip(graph, outerOf(skip(body.nodes, inputOf(reader, 0)).node));
        const from = graph.get(source.node);
        if (from?.op !== 'TensorListFromTensor')
          throw new BrokenModel(`Loop ${loop.name} iterates over ${from?.op}`);
        return { stacked: inputOf(from, 0), element: reader.name };
      }),
    captured: body.arguments
      .filter((name) => frozen.has(name))
      .map((inner) => ({ outer: outerOf(inner), inner })),
    body: [...optimized.graph.values()].filter(({ op }) => op !== 'Placeholder'),
    result,
  };
}

/** TensorArrayScatterV3 → Read → … → Write → GatherV3. Enter carries constants into the cycle. */
function circleLoop(gather: GraphNode, graph: FrozenGraph): MapLoop | undefined {
  const nodes = [...graph.values()];
  const arrayOf = (node: GraphNode) => skip(graph, inputOf(node, 0)).node;
  const array = arrayOf(gather);
  const write = nodes.find((node) => node.op === 'TensorArrayWriteV3' && arrayOf(node) === array);
  if (write === undefined) return undefined;
  const result = inputOf(write, 2);
  const body = nodesInOrder([result.node], (name) => {
    const node = graph.get(name);
    if (node === undefined) throw new BrokenModel(`The graph has no node ${name}`);
    return node.op === 'TensorArrayReadV3' ? { ...node, inputs: [] } : node;
  });
  const readers = body.filter(({ op }) => op === 'TensorArrayReadV3');
  return {
    output: gather.name,
    elements: readers.map(({ name }) => {
      const source = arrayOf(graph.get(name) ?? gather);
      const scatter = nodes.find((node) => node.op === 'TensorArrayScatterV3' && arrayOf(node) === source);
      if (scatter === undefined)
        throw new BrokenModel(`Nothing is scattered into the array that ${name} reads`);
      return { stacked: inputOf(scatter, 2), element: name };
    }),
    captured: [],
    body: body.filter(({ op }) => op !== 'TensorArrayReadV3'),
    result,
  };
}

/** Follows a tensor back through nodes that hand it on. */
function skip(nodes: ReadonlyMap<string, GraphNode>, ref: TensorRef | undefined): TensorRef {
  if (ref === undefined) throw new BrokenModel('A loop has fewer results than arguments');
  let current = ref;
  for (let hops = 0; hops < 1000; hops++) {
    const node = nodes.get(current.node);
    if (node === undefined || !['Identity', 'Enter', 'Exit'].includes(node.op)) return current;
    current = inputOf(node, 0);
  }
  throw new BrokenModel(`Tensor ${tensorName(ref)} refers to itself`);
}
