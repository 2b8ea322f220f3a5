/** A kind of model that AWS's container runs and this one can't. */
interface RefusedModel {
  readonly what: string;
  /** The user's remedy. */
  readonly remedy: string;
}

const IN_TENSORFLOW = '`--engine python` runs the model in TensorFlow itself';

/** Forms that have no converter, whatever operation they are met in; docs/models.md lists them. */
export const REFUSED_MODELS: readonly RefusedModel[] = [
  { what: 'an operation that is not named on this page', remedy: IN_TENSORFLOW },
  {
    what:
      '`PyFunc` of `tf.numpy_function` and `tf.py_function`, which calls a function of the process that saved the ' +
      'model, and fails everywhere else',
    remedy: 'write that step with operations of TensorFlow, or do it in `code/inference.py`',
  },
  {
    what: 'operations of TensorFlow Decision Forests, which TensorFlow without its library lacks',
    remedy: 'a container with TensorFlow Serving built with that library, which this stack doesn’t have',
  },
  {
    what: 'random operations, by which answers differ from request to request',
    remedy: 'export it for inference, with `training=False`',
  },
  {
    what: 'tensors of complex128, quantized ones, resources other than variables and tables',
    remedy: IN_TENSORFLOW,
  },
  {
    what: 'bfloat16, complex and quantized numbers in a signature, which no request can hold on AWS either',
    remedy: 'export it with inputs and outputs of float32',
  },
  {
    what: 'inputs of float16 or uint16, and outputs of uint16, without `inference.py`: TensorFlow Serving’s REST API has no form for them',
    remedy: 'export it with inputs and outputs of float32',
  },
  {
    what:
      'a Keras 3 model saved by `tf.saved_model.save` with a function: TensorFlow Serving doesn’t restore ' +
      'its variables, so every job on AWS fails',
    remedy: 'save it with `model.export(folder)`',
  },
  {
    what: 'strings in a loop or a branch, and a network that goes on from texts it has chosen',
    remedy: IN_TENSORFLOW,
  },
  { what: 'decoding behind a computation that the host does not know', remedy: IN_TENSORFLOW },
  {
    what: 'operations on decoded images inside `tf.map_fn`, besides those that the host has',
    remedy:
      'only decode in the map and do the rest on the batch behind it, or export a signature of one image',
  },
  { what: 'weights of more than 2 GiB, which no ONNX file holds', remedy: IN_TENSORFLOW },
  {
    what: 'a file of the SavedModel that is missing or damaged',
    remedy: 'save it again: AWS’s container also fails on it',
  },
  {
    what: '`inference.py` that imports packages besides the standard library',
    remedy: '`--handlers python` installs its requirements',
  },
  {
    what: 'a Keras file (`.keras`, `.h5`) instead of a SavedModel',
    remedy: 'save it with `model.export(folder)`',
  },
];
