import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Constants } from '../host/constants.ts';
import { resolveSignatureType } from '../savedmodel/element-type.ts';
import { flattenGraph } from '../savedmodel/flatten-functions.ts';
import { freezeGraph } from '../savedmodel/frozen-graph.ts';
import type { GraphDef } from '../savedmodel/graph-def.ts';
import { attribute, type GraphNode, parseTensorRef, type TensorRef } from '../savedmodel/graph-node.ts';
import { initializedTables } from '../savedmodel/initialized-tables.ts';
import { restoredTensor, restoredVariables } from '../savedmodel/restored-variables.ts';
import {
  type MetaGraph,
  readServingGraph,
  type SignatureDef,
  type TensorInfo,
} from '../savedmodel/saved-model-proto.ts';
import { BrokenModel, type Signature, type Tensor, type TensorSpec } from '../savedmodel/servable-model.ts';
import { structureControlFlow } from '../savedmodel/structured-control-flow.ts';
import { openTensorBundle } from '../savedmodel/tensor-bundle.ts';
import { readTensor } from '../savedmodel/tensor-proto.ts';
import { convertAsserted, type ConvertedSignature } from './convert-signature.ts';
import type { GraphView } from './running-graph.ts';

export type { ConvertedSignature };

/** Few tensors lie between a table and what fills it. */
const MAX_TABLE_TENSORS = 100;

/** A SavedModel that has been read. Its signatures are converted one by one. */
export interface LoadedModel {
  readonly signatures: readonly Signature[];
  readonly tensorflowVersion: string;
  /** Kinds of operations that a signature needs, sorted. @throws {BrokenModel} {UnrestoredVariable} */
  operations(signature: string): readonly string[];
  /** @throws {UnsupportedModel} {BrokenModel} */
  convert(signature: string): ConvertedSignature;
}

/** Reads `saved_model.pb` of a version directory. @throws {BrokenModel} if it cannot be read */
export function loadModel(versionDir: string): LoadedModel {
  const file = join(versionDir, 'saved_model.pb');
  if (!existsSync(file)) throw new BrokenModel('The model has no saved_model.pb');
  const metaGraph = readServingGraph(readFileSync(file));
  const checkpoint = join(versionDir, 'variables', 'variables');
  const bundle = existsSync(`${checkpoint}.index`) ? openTensorBundle(checkpoint) : undefined;
  const viewOf = ({ nodes, functions }: GraphDef): GraphView => {
    const library = { functions };
    const graph = flattenGraph(nodes, library, fedNodes(metaGraph));
    const given = (node: GraphNode, ref: TensorRef) =>
      node.op === 'Const'
        ? readTensor(attribute(node, 'value').tensor ?? new Uint8Array(), node.name)
        : restoredTensor(graph, bundle, ref);
    const nodeOf = (name: string) => graph.nodes.get(name);
    const constantOf = (ref: TensorRef) =>
      new Constants({ nodeOf, given, maxTensors: MAX_TABLE_TENSORS }).tensor(ref);
    return {
      graph,
      library,
      calls: new Set(nodes.map(({ name }) => name).filter((name) => !graph.nodes.has(name))),
      variables: restoredVariables(graph, bundle),
      readTable: initializedTables(graph, metaGraph.assets, join(versionDir, 'assets'), constantOf),
    };
  };
  const plain = viewOf(metaGraph.graph);
  let view: GraphView | undefined;
  const structured = () => (view ??= viewOf(structureControlFlow(metaGraph.graph)));
  const { graph, variables } = plain;
  const definitions = [...metaGraph.signatures].filter(([name]) => !name.startsWith('__saved_model_'));
  if (definitions.length === 0) throw new BrokenModel('The model has no signatures');
  const definitionOf = (name: string): SignatureDef => {
    const definition = metaGraph.signatures.get(name);
    if (definition === undefined) throw new BrokenModel(`The model has no signature ${name}`);
    return definition;
  };
  const refs = (infos: ReadonlyMap<string, TensorInfo>) =>
    [...infos.values()].map(({ tensor }) => graph.resolve(parseTensorRef(tensor)));
  return {
    signatures: definitions.map(([name, definition]) => describe(name, definition)).sort(byName),
    tensorflowVersion: metaGraph.tensorflowVersion,
    operations(name) {
      const { inputs, outputs } = definitionOf(name);
      const frozen = freezeGraph(graph, refs(outputs), refs(inputs), (handle) => {
        variables.require(handle);
        return NO_VALUE;
      });
      return [...new Set([...frozen.values()].map(({ op }) => op))].sort();
    },
    convert(name) {
      const definition = definitionOf(name);
      return convertAsserted({ signature: describe(name, definition), definition }, plain, structured);
    },
  };
}

/** Placeholder for a variable's value when only operations matter. */
const NO_VALUE: Tensor = { dtype: 'float32', shape: [0], data: new Float32Array() };

/** Nodes that any signature feeds: the flat graph, which all share, may not take them for known. */
function fedNodes(metaGraph: MetaGraph): Set<string> {
  const inputs = [...metaGraph.signatures.values()].flatMap((signature) => [...signature.inputs.values()]);
  return new Set(inputs.map(({ tensor }) => parseTensorRef(tensor).node));
}

function describe(name: string, definition: SignatureDef): Signature {
  const specs = (infos: ReadonlyMap<string, TensorInfo>) =>
    [...infos]
      .map(([input, { type, shape }]): TensorSpec => ({
        name: input,
        dtype: resolveSignatureType(type, `signature ${name}, ${input}`),
        shape,
      }))
      .sort(byName);
  const { methodName, inputs, outputs } = definition;
  return { name, methodName, inputs: specs(inputs), outputs: specs(outputs) };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
