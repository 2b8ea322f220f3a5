import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  BrokenModel,
  type DType,
  InvalidFeeds,
  type Signature,
  type Tensor,
  type TensorSpec,
} from '../savedmodel/servable-model.ts';
import { checkExternalData } from './external-data.ts';
import type { ModelSession } from './model-session.ts';
import { fromOnnxValue, toOnnxTensor } from './onnx-tensor.ts';
import { InferenceSession, type Tensor as OnnxTensor } from './onnxruntime.ts';
import { type OnnxSource, type ScoreMap, withScores } from './score-maps.ts';

/** The only signature of an ONNX model. */
const ONNX_SIGNATURE = 'onnx';

const REMEDY =
  'export the model again: torch.onnx.export for PyTorch, skl2onnx and onnxmltools for scikit-learn, XGBoost and LightGBM';
/** The machine, and no export, brings the locale that StringNormalizer asks for. */
const SESSION_REMEDY = `if this machine lacks a locale, install it (localedef -i en_US -f UTF-8 en_US.UTF-8); otherwise ${REMEDY}`;

/** An ONNX file in a session of onnxruntime, with one thread. */
export interface OnnxFile {
  readonly signature: Signature;
  readonly session: ModelSession;
}

/**
 * Opens an ONNX file; weights next to it are read from its folder and from nowhere else. Scores in maps from classes become tensors.
 *
 * @throws {BrokenModel} if it takes weights from elsewhere, or if onnxruntime does not take it, in onnxruntime's words
 */
export async function openOnnxFile(file: string): Promise<OnnxFile> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new BrokenModel('model.onnx is missing', REMEDY);
  checkExternalData(file);
  const source = await withScores(file, found.size);
  const { maps } = source;
  const session = await createSession(source, dirname(file));
  const inputs = session.inputMetadata.map(toSpec);
  const mapOf = (name: string): ScoreMap | undefined => maps.find(({ output }) => output === name);
  const added = new Set(session.outputNames.slice(session.outputNames.length - maps.length));
  const outputs = session.outputMetadata
    .filter(({ name }) => !added.has(name))
    .map((value) => specOf(value, mapOf(value.name)));
  const fetches = outputs.map(({ name }) => mapOf(name)?.scores ?? name);
  const infer: ModelSession['infer'] = async (feeds) => {
    const given: Record<string, OnnxTensor> = {};
    for (const [name, tensor] of feeds) given[name] = toOnnxTensor(tensor);
    const computed = await session.run(given, fetches).catch((error: unknown): never => {
      throw new InvalidFeeds(`onnxruntime cannot run the model on this request: ${messageOf(error)}`);
    });
    return new Map(
      outputs.map(({ name, dtype }) => {
        const map = mapOf(name);
        const tensor = fromOnnxValue(computed[map?.scores ?? name], dtype);
        return [name, map === undefined ? tensor : inOrder(tensor, map.order)];
      }),
    );
  };
  return {
    signature: { name: ONNX_SIGNATURE, inputs, outputs },
    session: {
      prepare: (feeds) => Promise.resolve(feeds),
      infer,
      run: infer,
      release: () => session.release(),
    },
  };
}

async function createSession({ model, hasStoredWeights }: OnnxSource, folder: string) {
  // Otherwise a model that comes as bytes takes its weights from the working directory, and may be of onnxruntime's own format.
  const session = {
    load_model_format: 'ONNX',
    model_external_initializers_file_folder_path: folder,
    ...(hasStoredWeights && { disable_quant_qdq: '1' }),
  };
  const options = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 4,
    extra: { session },
  } as const;
  const opening =
    typeof model === 'string'
      ? InferenceSession.create(model, options)
      : InferenceSession.create(model, options);
  return opening.catch((error: unknown): never => {
    throw new BrokenModel(`onnxruntime does not take model.onnx: ${messageOf(error)}`, SESSION_REMEDY);
  });
}

const DTYPES: readonly DType[] = [
  'float32', 'float64', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'bool', 'string',
]; // prettier-ignore

function specOf(value: InferenceSession.ValueMetadata, map: ScoreMap | undefined): TensorSpec {
  return map === undefined
    ? toSpec(value)
    : { name: value.name, dtype: 'float32', shape: [-1, map.order.length] };
}

/** The scores of each record in the order of the classes. */
function inOrder(tensor: Tensor, order: readonly number[]): Tensor {
  if (tensor.dtype !== 'float32' || order.every((from, to) => from === to)) return tensor;
  const width = order.length;
  const data = tensor.data.map((_, at) => tensor.data[at - (at % width) + (order[at % width] ?? 0)] ?? NaN);
  return { ...tensor, data };
}

function toSpec(value: InferenceSession.ValueMetadata): TensorSpec {
  const { name } = value;
  if (!value.isTensor)
    throw new BrokenModel(
      `model.onnx: ${name} is no tensor, such as a sequence or a map, and neither JSON nor a report has a place for it`,
      'export the model with tensors as inputs and outputs (scikit-learn: options={"zipmap": False})',
    );
  const dtype = DTYPES.find((one) => one === value.type);
  if (dtype === undefined)
    throw new BrokenModel(
      `model.onnx: ${name} is a tensor of ${value.type}, which no request holds`,
      'export the model with inputs and outputs of float32; inside it any type will do',
    );
  return { name, dtype, shape: value.shape.map((size) => (typeof size === 'number' ? size : -1)) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
