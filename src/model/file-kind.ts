import { type FileEnds, zipNames } from './zip-names.ts';

/** Bytes at the beginning of a file from which its kind is recognized. */
export const HEAD_BYTES = 65_536;
/** Bytes at the end, with the directory of a ZIP archive. */
export const TAIL_BYTES = 1_048_576;

const SCRIPT =
  'set model.framework to "pytorch" and pack it with a code/inference.py whose model_fn loads it (and code/requirements.txt with the package that reads it)';
const CONVERT =
  'convert it to ONNX (skl2onnx, onnxmltools), set model.framework to "onnx" and pack it with inferdrop model pack --onnx model.onnx -o model.tar.gz; or ';
const ONNX =
  'set model.framework to "onnx" and pack it with inferdrop model pack --onnx FILE -o model.tar.gz';
const EXPORT =
  'load it in Python and write a SavedModel, keras.models.load_model(FILE).export("saved"), then inferdrop model pack --saved-model saved -o model.tar.gz';
const FUNCTION = 'add --code with an inference.py whose model_fn';

/** Name of a kind of file, and how to get its model into an archive that a container serves. */
interface KindText {
  readonly what: string;
  readonly remedy: string;
}

const KINDS = {
  keras: { what: 'a Keras model', remedy: EXPORT },
  hdf5: {
    what: 'an HDF5 file, as Keras writes it',
    remedy: `${EXPORT} (where it has weights alone, build the network and call load_weights first)`,
  },
  onnx: { what: 'an ONNX model', remedy: ONNX },
  tflite: {
    what: 'a TensorFlow Lite model, which TensorFlow Serving does not load',
    remedy: 'write the network that it was converted from as a SavedModel: model.export("saved")',
  },
  torchscript: {
    what: 'TorchScript, which the PyTorch container loads',
    remedy:
      'set model.framework to "pytorch" and pack it with inferdrop model pack --pytorch model.pt -o model.tar.gz',
  },
  'torch-state': {
    what: 'a PyTorch file without TorchScript, such as a state dict, which holds no network',
    remedy: `${FUNCTION} builds the network and loads it, or write torch.jit.script(model).save("model.pt")`,
  },
  'torch-export': {
    what: 'a program of torch.export, which the container does not load by itself',
    remedy: `${FUNCTION} calls torch.export.load(FILE).module(), or write torch.jit.script(model).save("model.pt")`,
  },
  safetensors: {
    what: 'weights in safetensors, which hold no network',
    remedy: `set model.framework to "pytorch", and ${FUNCTION} builds the network and loads them`,
  },
  pickle: { what: 'a pickled Python object, as scikit-learn and joblib write it', remedy: CONVERT + SCRIPT },
  xgboost: { what: 'an XGBoost model', remedy: CONVERT + SCRIPT },
  lightgbm: { what: 'a LightGBM model', remedy: CONVERT + SCRIPT },
  gzip: {
    what: 'a compressed file, such as another archive, in which no container looks',
    remedy: 'unpack it, and pack its files at the root (tar czf model.tar.gz -C FOLDER .)',
  },
  gguf: { what: 'a language model in GGUF', remedy: 'give an image that serves it in model.image' },
} as const satisfies Readonly<Record<string, KindText>>;

/** Kinds of model files that are recognized by their content. */
export type FileKind = keyof typeof KINDS;

/** Describes a file of a kind, and what to do with it. */
export function describeKind(kind: FileKind): KindText {
  return KINDS[kind];
}

/** Kind of a model file by its content; undefined if nothing is recognized. */
export function fileKind(file: FileEnds): FileKind | undefined {
  const head = Buffer.from(file.head.buffer, file.head.byteOffset, file.head.length);
  const text = head.subarray(0, 512).toString('latin1');
  const zip = zipNames(file);
  if (zip !== undefined) return kindOfZip(zip);
  if (text.startsWith('\u0089HDF\r\n\u001a\n')) return 'hdf5';
  if (text.startsWith('GGUF')) return 'gguf';
  if (text.slice(4, 8) === 'TFL3') return 'tflite';
  if (/^[^]{6}\0\0\{"/.test(text)) return 'safetensors';
  // The number that torch.save wrote first until PyTorch 1.6.
  if (text.startsWith('\u0080\u0002\u008a\nl\u00fc\u009cF\u00f9 j\u00a8P\u0019')) return 'torch-state';
  const [first = 0, second = 0, third = 0] = head;
  if (first === 0x1f && second === 0x8b) return 'gzip';
  if (first === 0x80 && second >= 2 && second <= 5) return 'pickle';
  if (/^\{L[^]{0,16}learner|^\{\s*"learner"\s*:/.test(text)) return 'xgboost';
  if (/^tree\r?\nversion=/.test(text)) return 'lightgbm';
  // Field 1 is the version of the format, which a SavedModel has too, but as 1; field 2 the name of a producer, or 3, 7, 8.
  const isModelProto = first === 8 && second >= 3 && second < 32 && [0x12, 0x1a, 0x3a, 0x42].includes(third);
  return isModelProto ? 'onnx' : undefined;
}

function kindOfZip({
  names,
  isWhole,
}: {
  readonly names: readonly string[];
  readonly isWhole: boolean;
}): FileKind | undefined {
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (has(/^model\.weights\.h5$/) || (has(/^metadata\.json$/) && has(/^config\.json$/))) return 'keras';
  if (has(/^(?:[^/]+\/)?(?:serialized_exported_program\.json|archive_format|models\/[^/]+\.json)$/))
    return 'torch-export';
  if (has(/^[^/]+\/constants\.pkl$/)) return 'torchscript';
  return isWhole && has(/^[^/]+\/data\.pkl$/) ? 'torch-state' : undefined;
}
