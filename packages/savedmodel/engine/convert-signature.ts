import { cutShape } from '../host/cut-shape.ts';
import { DECODERS } from '../host/decoder.ts';
import { splitStages } from '../host/host-stage.ts';
import { type PreparedStage, prepareHostStage } from '../host/run-host-stage.ts';
import { convertGraph, type Port } from '../onnx/convert-graph.ts';
import { mixingOperation } from '../onnx/independent-rows.ts';
import { ASSERT, assertionsAmong } from '../savedmodel/assertions.ts';
import { calledNodes } from '../savedmodel/called-nodes.ts';
import { refuseChangedVariables } from '../savedmodel/changed-variables.ts';
import type { Library } from '../savedmodel/flatten-functions.ts';
import { nodeOf } from '../savedmodel/frozen-graph.ts';
import { type GraphNode, parseTensorRef, tensorName, type TensorRef } from '../savedmodel/graph-node.ts';
import { hasAssertion } from '../savedmodel/has-assertion.ts';
import { nodesInOrder } from '../savedmodel/node-order.ts';
import type { AppliedRewrite, OptimizedGraph } from '../savedmodel/optimized-graph.ts';
import { variableId } from '../savedmodel/restored-variables.ts';
import { runningNodes } from '../savedmodel/running-nodes.ts';
import {
  BrokenModel,
  type Signature,
  type TensorSpec,
  UnsupportedModel,
} from '../savedmodel/servable-model.ts';
import { isUnstructured } from '../savedmodel/structured-control-flow.ts';
import { unprovenPlaces } from '../savedmodel/unproven-places.ts';
import { type Asked, assertionNodes, type GraphView, portsOf, runningGraph } from './running-graph.ts';

/** A signature in the form in which it runs: first the host, then ONNX, then the host again. */
export interface ConvertedSignature {
  readonly signature: Signature;
  /** Input name → tensor of the graph, for the inputs of the first host stage. */
  readonly hostInputs: ReadonlyMap<string, string>;
  readonly before: PreparedStage;
  readonly after: PreparedStage;
  /** Tensors from the first stage: to ONNX, under the name of its input, and to the last stage. */
  readonly cuts: readonly { readonly ref: TensorRef; readonly input: string }[];
  readonly kept: readonly TensorRef[];
  /** Inputs that go to ONNX as they are. */
  readonly onnxInputs: readonly string[];
  /** Undefined if the host does all. */
  readonly onnx: Uint8Array | undefined;
  /** Whether an `If` stands in the ONNX model. */
  readonly hasBranches: boolean;
  /** Where each answer comes from: an output of the ONNX model, or a tensor that a host stage has. */
  readonly answers: readonly {
    readonly spec: TensorSpec;
    readonly ref: TensorRef;
    readonly isOnHost: boolean;
  }[];
  /** Tensors from ONNX to the last stage, under the name of its output. */
  readonly wanted: readonly { readonly ref: TensorRef; readonly spec: TensorSpec }[];
  /** An operation that may mix the rows of several requests, which then run one by one; undefined without one. */
  readonly mixedBy: string | undefined;
  /** Whether it computes in half precision, which is computed in single precision here. */
  readonly isHalf: boolean;
  /** Rewrites of TensorFlow's optimizer that change answers, which this engine does as well. */
  readonly rewrites: readonly AppliedRewrite[];
  /** Places where something decides on last bits that may not be TensorFlow's, a sentence each. */
  readonly unproven: readonly string[];
  /** Names of nodes with assertions by which TensorFlow refuses requests, and which are not checked here. */
  readonly unchecked: readonly string[];
}

/** The same with the network's file, if there is one, instead of its bytes. */
export type RunnableSignature = Omit<ConvertedSignature, 'onnx'> & {
  readonly onnx: ConvertedSignature['onnx'] | string;
};

/** Assertions to be checked: names of nodes, and whether also those in the loops and branches that the outputs need. */
interface Checked {
  readonly names: readonly string[];
  readonly isWithin: boolean;
}

/**
 * Converts a signature with its assertions: all of them, or those that can be converted.
 *
 * @param structured the same graph with the control flow of TensorFlow 2, for one of TensorFlow 1
 */
export function convertAsserted(
  asked: Asked,
  view: GraphView,
  structured: () => GraphView,
): ConvertedSignature {
  const { graph, calls, library } = view;
  const [inputs, outputs] = [asked.definition.inputs, asked.definition.outputs].map((infos) =>
    [...infos.values()].map(({ tensor }) => graph.resolve(parseTensorRef(tensor))),
  );
  const fed = new Set(inputs?.map(({ node }) => node));
  const nodes = runningNodes(graph, outputs ?? [], fed, calls);
  const assertions = assertionsAmong(nodes, graph.nodes, library);
  const names = [...assertions.keys()];
  const running = new Map<GraphView, OptimizedGraph>();
  const runningIn = (one: GraphView) => {
    const known = running.get(one) ?? runningGraph(asked, one, names);
    running.set(one, known);
    return known;
  };
  const convert = (checked: Checked, signature = asked) => ({
    ...convertSignature(signature, view, checked, runningIn, structured),
    unchecked: names.filter((name) => !checked.names.includes(name)),
  });
  const attempt = (checked: Checked, signature = asked) => {
    try {
      return convert(checked, signature);
    } catch (error) {
      if (error instanceof UnsupportedModel || error instanceof BrokenModel) return undefined;
      throw error;
    }
  };
  const NONE: Checked = { names: [], isWithin: false };
  if (names.length === 0) return convert(NONE);
  // Bodies of loops and branches know of no compiled function around them.
  const isWithin = !nodes.some((node) => node.isCompiled && hasAssertion([node], library.functions));
  const whole = isWithin ? attempt({ names, isWithin }) : undefined;
  if (whole !== undefined) return whole;
  const without = convert(NONE);
  const alone: Asked = {
    signature: { ...asked.signature, outputs: [] },
    definition: { ...asked.definition, outputs: new Map() },
  };
  const able = names.filter((name) => attempt({ names: [name], isWithin }, alone));
  return (
    (isWithin ? attempt({ names: able, isWithin }) : undefined) ??
    attempt({ names: able.filter((name) => assertions.get(name)?.op === ASSERT), isWithin: false }) ??
    without
  );
}

function convertSignature(
  asked: Asked,
  view: GraphView,
  checked: Checked,
  runningIn: (view: GraphView) => OptimizedGraph,
  structured?: () => GraphView,
): Omit<ConvertedSignature, 'unchecked'> {
  const { signature } = asked;
  const { graph, calls, readTable } = view;
  const library: Library = { ...view.library, isAsserted: checked.isWithin };
  const missing = checked.names.find((name) => !graph.nodes.has(name));
  if (missing !== undefined) throw new UnsupportedModel([ASSERT], `node ${missing}`);
  const assertionNames = assertionNodes(checked.names, view).map(({ name }) => name);
  const assertionRefs = assertionNames.map((node) => ({ node, index: 0 }));
  const { inputs, outputs } = portsOf(asked, view);
  const outputRefs = outputs.map(({ ref }) => ref);
  const feeds = inputs.map(({ ref }) => ref);
  const optimized = runningIn(view);
  const roots = [...outputRefs.map(({ node }) => node), ...assertionNames];
  // All of it, but for assertions that are not checked.
  const frozen =
    roots.length === optimized.wanted
      ? optimized.graph
      : new Map(
          nodesInOrder(roots, (name) => nodeOf(optimized.graph, name)).map((node) => [node.name, node]),
        );
  const nodes = [...frozen.values()];
  // The host finds a loop over encoded images by its circle.
  if (structured !== undefined && nodes.some(isUnstructured) && !nodes.some(({ op }) => DECODERS.has(op)))
    return convertSignature(asked, structured(), checked, runningIn);
  const read = new Set(nodes.flatMap(({ from }) => (from === undefined ? [] : variableId(graph, from))));
  const called = calledNodes(graph, outputRefs, calls);
  refuseChangedVariables(graph, called, read);
  const { before, after, cuts, kept, dense, wanted, isOnHost } = splitStages(
    frozen,
    outputRefs,
    library,
    assertionNames,
  );
  const shapes = new Map(inputs.map(({ ref, spec }) => [tensorName(ref), spec.shape]));
  const cutPorts = cuts.map(({ ref, dtype }, index): Port => ({
    ref,
    spec: { name: `decoded_${index}`, dtype, shape: cutShape(frozen, ref, shapes) },
  }));
  const wantedPorts = wanted.map(({ ref, dtype }, index): Port => ({
    ref,
    spec: { name: `wanted_${index}`, dtype, shape: null },
  }));
  const onHost = new Set(before.nodes.map(({ name }) => name));
  const hostInputs = inputs.filter(({ ref }) => onHost.has(ref.node));
  const onnxInputs = inputs.filter(({ ref, spec }) => dense.has(ref.node) && spec.dtype !== 'string');
  const answers = outputs.map((output) => ({ ...output, isOnHost: isOnHost(output.ref) }));
  const computed = [...answers.filter((answer) => !answer.isOnHost), ...wantedPorts];
  const network =
    computed.length + dense.size === 0
      ? { onnx: undefined, hasBranches: false, rewrites: [] }
      : convertGraph(dense, [...onnxInputs, ...cutPorts], computed, library);
  return {
    signature,
    rewrites: [...optimized.rewrites, ...network.rewrites],
    before: prepareHostStage(before, readTable),
    after: prepareHostStage(after, readTable),
    hostInputs: new Map(hostInputs.map(({ spec, ref }) => [spec.name, tensorName(ref)])),
    cuts: cutPorts.map(({ ref, spec }) => ({ ref, input: spec.name })),
    kept,
    onnxInputs: onnxInputs.map(({ spec }) => spec.name),
    onnx: network.onnx,
    hasBranches: network.hasBranches,
    answers,
    wanted: wantedPorts,
    mixedBy:
      kept.length + after.nodes.length > 0
        ? 'texts that the host computes behind the network'
        : mixingOperation({
            graph: frozen,
            inputShapes: new Map(
              [...inputs, ...cutPorts].map(({ ref, spec }) => [tensorName(ref), spec.shape]),
            ),
            results: [...outputRefs, ...cuts.map(({ ref }) => ref)],
            given: new Set(feeds.map(({ node }) => node)),
            loops: before.loops,
            assertions: assertionRefs.filter(({ node }) => dense.has(node)),
          }),
    isHalf: nodes.some(isHalf),
    unproven: unprovenPlaces(frozen),
  };
}

/** `tensorflow.DT_HALF` */
const HALF = 19;

function isHalf({ attributes }: GraphNode): boolean {
  return [...attributes.values()].some(({ type }) => type === HALF);
}
