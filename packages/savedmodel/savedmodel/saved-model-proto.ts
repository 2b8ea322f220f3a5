import { type GraphDef, readGraphDef, readMapEntry } from './graph-def.ts';
import { BrokenModel } from './servable-model.ts';
import { readShape, type Shape } from './tensor-proto.ts';
import { WireReader } from './wire-reader.ts';

/** A tensor that a signature names: `tensor` is `node:index` in the graph. */
export interface TensorInfo {
  readonly tensor: string;
  readonly type: number;
  readonly shape: Shape;
}

/** `tensorflow.SignatureDef`; tensors by the names that requests use. */
export interface SignatureDef {
  /** Such as `tensorflow/serving/predict`. */
  readonly methodName: string;
  readonly inputs: ReadonlyMap<string, TensorInfo>;
  readonly outputs: ReadonlyMap<string, TensorInfo>;
}

/** One graph of a SavedModel with all that is needed to serve it. */
export interface MetaGraph {
  readonly tags: readonly string[];
  readonly tensorflowVersion: string;
  readonly graph: GraphDef;
  readonly signatures: ReadonlyMap<string, SignatureDef>;
  /** Tensor that holds a file's name → name of the file below `assets/`. */
  readonly assets: ReadonlyMap<string, string>;
}

/**
 * Reads `saved_model.pb` and chooses the graph tagged `serve`, as TensorFlow Serving does.
 *
 * @throws {BrokenModel} if the bytes are damaged or no graph has that tag
 */
export function readServingGraph(bytes: Uint8Array): MetaGraph {
  const message = new WireReader(bytes);
  const tags: string[] = [];
  while (message.next()) {
    if (message.field !== 2) continue;
    const metaGraph = readMetaGraph(message.message());
    if (metaGraph.tags.includes('serve')) return metaGraph;
    tags.push(`{${metaGraph.tags.join(', ')}}`);
  }
  throw new BrokenModel(`saved_model.pb has no graph tagged "serve", only ${tags.join(', ') || 'none'}`);
}

function readMetaGraph(message: WireReader): MetaGraph {
  let info: MetaInfo = { tags: [], tensorflowVersion: '' };
  let graph: GraphDef = { nodes: [], functions: new Map() };
  const signatures = new Map<string, SignatureDef>();
  const assets = new Map<string, string>();
  while (message.next()) {
    if (message.field === 1) info = readMetaInfo(message.message());
    else if (message.field === 2) graph = readGraphDef(message.message());
    else if (message.field === 5) {
      const absent: SignatureDef = { methodName: '', inputs: new Map(), outputs: new Map() };
      signatures.set(...readMapEntry(message.message(), absent, (value) => readSignature(value.message())));
    } else if (message.field === 6) assets.set(...readAsset(message.message()));
    else if (message.field === 4) {
      const [name, bytes] = readMapEntry(message.message(), new Uint8Array(), (value) => value.bytes());
      if (name === 'saved_model_assets')
        readAssetFiles(new WireReader(bytes)).forEach((asset) => assets.set(...asset));
    }
  }
  return { ...info, graph, signatures, assets };
}

type Asset = [tensor: string, file: string];

/** Reads the messages of a `tensorflow.CollectionDef`: where TensorFlow 1 lists the files. */
function readAssetFiles(message: WireReader): Asset[] {
  const files: Asset[] = [];
  while (message.next()) {
    if (message.field !== 5) continue;
    const list = message.message();
    while (list.next()) {
      if (list.field !== 1) continue;
      const any = list.message();
      while (any.next()) if (any.field === 2) files.push(readAsset(any.message()));
    }
  }
  return files;
}

/** Reads `tensorflow.AssetFileDef`. */
function readAsset(message: WireReader): Asset {
  let [tensor, file] = ['', ''];
  while (message.next()) {
    if (message.field === 1) tensor = readTensorInfo(message.message()).tensor;
    else if (message.field === 2) file = message.text();
  }
  return [tensor, file];
}

type MetaInfo = Pick<MetaGraph, 'tags' | 'tensorflowVersion'>;

function readMetaInfo(message: WireReader): MetaInfo {
  const tags: string[] = [];
  let tensorflowVersion = '';
  while (message.next()) {
    if (message.field === 4) tags.push(message.text());
    else if (message.field === 5) tensorflowVersion = message.text();
  }
  return { tags, tensorflowVersion };
}

function readSignature(message: WireReader): SignatureDef {
  const inputs = new Map<string, TensorInfo>();
  const outputs = new Map<string, TensorInfo>();
  let methodName = '';
  const absent: TensorInfo = { tensor: '', type: 0, shape: null };
  const read = (value: WireReader) => readTensorInfo(value.message());
  while (message.next()) {
    if (message.field === 1) inputs.set(...readMapEntry(message.message(), absent, read));
    else if (message.field === 2) outputs.set(...readMapEntry(message.message(), absent, read));
    else if (message.field === 3) methodName = message.text();
  }
  return { methodName, inputs, outputs };
}

function readTensorInfo(message: WireReader): TensorInfo {
  let tensor = '';
  let type = 0;
  // proto3: a scalar's shape is a present, empty message; an absent one says nothing.
  let shape: Shape = null;
  while (message.next()) {
    if (message.field === 1) tensor = message.text();
    else if (message.field === 2) type = message.int();
    else if (message.field === 3) shape = readShape(message.message());
  }
  return { tensor, type, shape };
}
