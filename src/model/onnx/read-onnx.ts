import { compareByteOrder } from '../../text/byte-order.ts';
import { type Field, type FieldHeader, type FileBody, packedNumbers } from '../wire-format.ts';
import {
  bodyOf,
  eachField,
  integers,
  messages,
  taken,
  textOf,
  toText,
  Unreadable,
  whole,
} from './message-fields.ts';
import type { ExternalData, OnnxValue, ReadOnnx } from './onnx-model.ts';
import { elementBits, elementTypeName, toValue } from './value-type.ts';

/** Cap on a message that is held in memory: trees keep their numbers in the attributes of one node. */
const MAX_MESSAGE_BYTES = 256_000_000;
const MAX_NODES = 1_000_000;
/** Cap on a name, a shape, or the place of external data. */
const MAX_SMALL_BYTES = 1_000_000;
/** Graphs within graphs: the branches and bodies of control flow. Protocol Buffers' own readers take 100 nested messages. */
const MAX_DEPTH = 24;

/** Field numbers of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. */
const MODEL = { irVersion: 1, producer: 2, producerVersion: 3, graph: 7, opsets: 8, functions: 25 } as const;
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, sparse: 15 } as const;
const NODE = { operator: 4, attribute: 5, domain: 7 } as const;
const ATTRIBUTE = {
  name: 1,
  text: 4,
  tensor: 5,
  graph: 6,
  ints: 8,
  texts: 9,
  tensors: 10,
  graphs: 11,
} as const;
const TENSOR = { dims: 1, type: 2, texts: 6, name: 8, raw: 9, external: 13, location: 14 } as const;
const FUNCTION = { name: 1, node: 7, domain: 10 } as const;

interface Found {
  irVersion: number;
  producer: string[];
  readonly opsets: Map<string, number>;
  readonly inputs: OnnxValue[];
  readonly outputs: OnnxValue[];
  readonly initializers: Set<string>;
  readonly operators: Map<string, Set<string>>;
  readonly functions: Set<string>;
  readonly external: ExternalData[];
  readonly contradictions: string[];
  classes: readonly string[] | null;
  hasZipMap: boolean;
  graphs: number;
  nodes: number;
}

/** Reads an ONNX model from a stream, in bounded memory: weights are skipped. */
export async function readOnnx(body: FileBody): Promise<ReadOnnx> {
  const sizeBytes = body.left;
  const found: Found = {
    irVersion: 0,
    producer: [],
    opsets: new Map(),
    inputs: [],
    outputs: [],
    initializers: new Set(),
    operators: new Map(),
    functions: new Set(),
    external: [],
    contradictions: [],
    classes: null,
    hasZipMap: false,
    graphs: 0,
    nodes: 0,
  };
  try {
    await eachField(body, body.left, async (field) => {
      if (field.number === MODEL.irVersion) found.irVersion = field.value;
      else if (field.number === MODEL.producer || field.number === MODEL.producerVersion)
        found.producer.push(toText(await taken(body, field, MAX_SMALL_BYTES)));
      else if (field.number === MODEL.opsets) readOpset(await taken(body, field, MAX_SMALL_BYTES), found);
      else if (field.number === MODEL.graph) {
        found.graphs += 1;
        await readGraph(body, field.length ?? 0, found, 0);
      } else if (field.number === MODEL.functions)
        await readFunction(await taken(body, field, MAX_MESSAGE_BYTES), found);
      else return false;
      return true;
    });
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { reason: error.message };
  }
  if (found.irVersion === 0 || found.graphs !== 1)
    return {
      reason: found.graphs > 1 ? 'it has several graphs' : 'it has no graph, or no version of the format',
    };
  return {
    sizeBytes,
    irVersion: found.irVersion,
    producer: found.producer.filter((text) => text !== '').join(' '),
    opsets: found.opsets,
    inputs: found.inputs.filter(({ name }) => !found.initializers.has(name)),
    outputs: found.outputs,
    operators: operatorsOf(found),
    nodes: found.nodes,
    external: found.external,
    classes: found.classes,
    contradictions: found.contradictions,
  };
}

function operatorsOf({ operators, functions }: Found): Map<string, readonly string[]> {
  const own = (domain: string, name: string): boolean => functions.has(`${domain}:${name}`);
  return new Map(
    [...operators]
      .map(([domain, names]) => [domain, [...names].filter((name) => !own(domain, name)).sort()] as const)
      .filter(([, names]) => names.length > 0)
      .sort(([a], [b]) => compareByteOrder(a, b)),
  );
}

/** Reads `GraphProto`. @param depth 0 for the graph of the model */
async function readGraph(body: FileBody, length: number, found: Found, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) throw new Unreadable(`its graphs are nested more than ${MAX_DEPTH} deep`);
  await eachField(body, length, async (field) => {
    if (field.number === GRAPH.node)
      await readNode(await taken(body, field, MAX_MESSAGE_BYTES), found, depth);
    else if (field.number === GRAPH.initializer) {
      const name = await readTensor(body, field, found);
      if (depth === 0) found.initializers.add(name);
    } else if (field.number === GRAPH.sparse)
      throw new Unreadable('it has sparse weights, which are not supported');
    else if (field.number === GRAPH.input && depth === 0)
      found.inputs.push(toValue(await taken(body, field, MAX_SMALL_BYTES)));
    else if (field.number === GRAPH.output && depth === 0)
      found.outputs.push(toValue(await taken(body, field, MAX_SMALL_BYTES)));
    else return false;
    return true;
  });
}

async function readNode(bytes: Uint8Array, found: Found, depth: number): Promise<void> {
  if ((found.nodes += 1) > MAX_NODES) throw new Unreadable(`it has more than ${MAX_NODES} nodes`);
  const fields = whole(bytes);
  const operator = textOf(fields, NODE.operator);
  const domain = domainOf(textOf(fields, NODE.domain));
  const names = found.operators.get(domain) ?? new Set();
  found.operators.set(domain, names.add(operator));
  for (const attribute of messages(fields, NODE.attribute).map(whole)) {
    readClasses(operator, attribute, found);
    for (const number of [ATTRIBUTE.tensor, ATTRIBUTE.tensors])
      for (const tensor of messages(attribute, number)) {
        const body = bodyOf(tensor);
        await readTensor(body, { number, length: tensor.length, value: 0 }, found);
      }
    for (const number of [ATTRIBUTE.graph, ATTRIBUTE.graphs])
      for (const graph of messages(attribute, number))
        await readGraph(bodyOf(graph), graph.length, found, depth + 1);
  }
}

/** Classifiers and what makes maps of their scores carry the labels of their classes. */
function readClasses(operator: string, attribute: readonly Field[], found: Found): void {
  const name = textOf(attribute, ATTRIBUTE.name);
  if (!name.startsWith('classlabels_') || (found.hasZipMap && operator !== 'ZipMap')) return;
  const texts = messages(attribute, ATTRIBUTE.texts).map(toText);
  const numbers = integers(attribute, ATTRIBUTE.ints);
  if (texts.length + numbers.length === 0) return;
  if (operator === 'ZipMap') {
    // A map of onnxruntime is in the order of its keys.
    found.hasZipMap = true;
    found.classes = [...texts.toSorted(compareByteOrder), ...numbers.toSorted((a, b) => a - b).map(String)];
  } else found.classes = [...texts, ...numbers.map(String)];
}

async function readFunction(bytes: Uint8Array, found: Found): Promise<void> {
  const fields = whole(bytes);
  found.functions.add(`${domainOf(textOf(fields, FUNCTION.domain))}:${textOf(fields, FUNCTION.name)}`);
  for (const node of messages(fields, FUNCTION.node)) await readNode(node, found, 1);
}

/** Reads `TensorProto` without its elements; gives its name. */
async function readTensor(body: FileBody, header: FieldHeader, found: Found): Promise<string> {
  const dims: number[] = [];
  const places: Uint8Array[] = [];
  let name = '';
  let type = 0;
  let rawBytes: number | undefined;
  let isExternal = false;
  if (header.length === undefined)
    throw new Unreadable('it is damaged: a number stands where a tensor belongs');
  await eachField(body, header.length, async (field) => {
    if (field.number === TENSOR.dims)
      dims.push(
        ...(field.length === undefined ? [field.value] : packedNumbers(await taken(body, field, 1_000))),
      );
    else if (field.number === TENSOR.type) type = field.value;
    else if (field.number === TENSOR.location) isExternal = field.value === 1;
    else if (field.number === TENSOR.name) name = toText(await taken(body, field, MAX_SMALL_BYTES));
    else if (field.number === TENSOR.external) places.push(await taken(body, field, MAX_SMALL_BYTES));
    else if (field.number === TENSOR.raw) {
      rawBytes = field.length ?? 0;
      return false;
    } else return false;
    return true;
  });
  if (isExternal) {
    const entries = new Map(places.map(whole).map((entry) => [textOf(entry, 1), textOf(entry, 2)]));
    found.external.push({ tensor: name, location: entries.get('location') ?? '' });
  }
  const elements = dims.reduce((product, size) => product * size, 1);
  const bytes = Math.ceil((elements * elementBits(type)) / 8);
  if (rawBytes !== undefined && !isExternal && rawBytes !== bytes)
    found.contradictions.push(
      `tensor ${JSON.stringify(name)} of ${elementTypeName(type)} [${dims.join(', ')}] needs ${bytes} bytes and has ${rawBytes}`,
    );
  return name;
}

function readOpset(bytes: Uint8Array, found: Found): void {
  const fields = whole(bytes);
  found.opsets.set(domainOf(textOf(fields, 1)), integers(fields, 2)[0] ?? 0);
}

/** The standard domain has two names. */
function domainOf(name: string): string {
  return name === 'ai.onnx' ? '' : name;
}
