import { readFile } from 'node:fs/promises';
import { WireReader } from '../savedmodel/wire-reader.ts';
import { WireWriter } from '../savedmodel/wire-writer.ts';

/** An output that is a map from class to score for each record (`ZipMap`), and the tensor that it is made of. */
export interface ScoreMap {
  readonly output: string;
  readonly scores: string;
  /** Places of the scores in the order of the map's keys, in which Python reads them. */
  readonly order: readonly number[];
}

/** A model for onnxruntime: its file, or its bytes with the scores of its maps among its outputs. */
export interface OnnxSource {
  readonly model: string | Uint8Array;
  readonly maps: readonly ScoreMap[];
  /** Whether only weights are integers with a scale: they may become floats once, as it is opened, instead of with each request. */
  readonly hasStoredWeights: boolean;
}

/** Models of trees and of scikit-learn, which have such outputs, are small; a larger model is not searched. */
const MAX_BYTES = 256_000_000;
/** Weights of a file of this size have up to eight times the bytes as floats. */
const MAX_STORED_BYTES = 32_000_000;

/** Field numbers of onnx.proto. */
const GRAPH_OF_MODEL = 7;
const GRAPH = { node: 1, output: 12 } as const;
const NODE = { input: 1, output: 2, operator: 4, attribute: 5 } as const;
const ATTRIBUTE = { ints: 8, strings: 9 } as const;
const VALUE = { name: 1, type: 2 } as const;
const [TENSOR_TYPE, ELEMENT_TYPE, FLOAT] = [1, 1, 1];

/**
 * Makes the scores of maps outputs of their own, since onnxruntime's binding for Node hands over tensors only. Two
 * messages of Protocol Buffers one behind the other are their union, so the outputs are appended to the file.
 */
export async function withScores(file: string, sizeBytes: number): Promise<OnnxSource> {
  const plain = { model: file, maps: [], hasStoredWeights: false };
  if (sizeBytes > MAX_BYTES) return plain;
  const bytes = await readFile(file);
  // Names of operations: one that quantizes would compute in integers.
  const hasStoredWeights =
    sizeBytes <= MAX_STORED_BYTES && bytes.includes('DequantizeLinear') && !bytes.includes('QuantizeLinear');
  const maps = bytes.includes('ZipMap') ? readMaps(bytes) : [];
  if (maps.length === 0) return { ...plain, hasStoredWeights };
  const graph = new WireWriter();
  for (const { scores } of maps) {
    const element = new WireWriter();
    element.int(ELEMENT_TYPE, FLOAT);
    const type = new WireWriter();
    type.message(TENSOR_TYPE, element);
    const output = new WireWriter();
    output.text(VALUE.name, scores);
    output.message(VALUE.type, type);
    graph.message(GRAPH.output, output);
  }
  const added = new WireWriter();
  added.message(GRAPH_OF_MODEL, graph);
  return { model: Buffer.concat([bytes, added.toBytes()]), maps, hasStoredWeights };
}

/** @throws {BrokenModel} for damaged bytes */
function readMaps(bytes: Uint8Array): ScoreMap[] {
  const maps: ScoreMap[] = [];
  const model = new WireReader(bytes);
  while (model.next()) {
    if (model.field !== GRAPH_OF_MODEL) continue;
    const graph = model.message();
    while (graph.next()) {
      if (graph.field !== GRAPH.node) continue;
      const map = readMap(graph.message());
      if (map !== undefined) maps.push(map);
    }
  }
  return maps;
}

function readMap(node: WireReader): ScoreMap | undefined {
  let [input, output, operator] = ['', '', ''];
  const ints: bigint[] = [];
  const strings: Uint8Array[] = [];
  while (node.next()) {
    if (node.field === NODE.input) input = node.text();
    else if (node.field === NODE.output) output = node.text();
    else if (node.field === NODE.operator) operator = node.text();
    else if (node.field === NODE.attribute) {
      const attribute = node.message();
      while (attribute.next()) {
        if (attribute.field === ATTRIBUTE.ints) attribute.ints(ints);
        else if (attribute.field === ATTRIBUTE.strings) strings.push(attribute.bytes());
      }
    }
  }
  if (operator !== 'ZipMap') return undefined;
  const order =
    strings.length > 0
      ? orderOf(strings, (a, b) => Buffer.compare(a, b))
      : orderOf(ints, (a, b) => (a < b ? -1 : 1));
  return { output, scores: input, order };
}

function orderOf<T>(keys: readonly T[], compare: (a: T, b: T) => number): number[] {
  return [...keys.entries()].sort(([, a], [, b]) => compare(a, b)).map(([place]) => place);
}
