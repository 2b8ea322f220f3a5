/** A kind of model that this container cannot run, where AWS's can. */
interface RefusedModel {
  readonly what: string;
  /** What the user can do about it. */
  readonly remedy: string;
}

const IN_TENSORFLOW = '`--engine python` runs the model in TensorFlow itself';

/** What has no converter, whatever operation it is met in; docs/models.md lists it. */
export const REFUSED_MODELS: readonly RefusedModel[] = [
  { what: 'an operation that is not named on this page', remedy: IN_TENSORFLOW },
  {
    what: 'tensors of complex128, quantised ones, resources other than variables and tables',
    remedy: IN_TENSORFLOW,
  },
  {
    what: 'bfloat16, complex and quantised numbers in a signature, which no request can hold on AWS either',
    remedy: 'export it with inputs and outputs of float32',
  },
  {
    what: 'inputs of float16 or uint16, and outputs of uint16, without `inference.py`: TensorFlow Serving’s REST API has no form for them',
    remedy: 'export it with inputs and outputs of float32',
  },
  {
    what: 'a Keras 3 model saved by `tf.saved_model.save` with a function, whose variables TensorFlow Serving does not restore: every job on AWS fails',
    remedy: 'save it with `model.export(folder)`',
  },
  {
    what: 'strings in a loop or a branch, and a network that goes on from texts it has chosen',
    remedy: IN_TENSORFLOW,
  },
  { what: 'decoding behind a computation that the host does not know', remedy: IN_TENSORFLOW },
  {
    what: 'weights of more than 2 GiB, which no ONNX file holds',
    remedy: IN_TENSORFLOW,
  },
  {
    what: 'a file of the SavedModel that is missing or damaged',
    remedy: 'save it again: AWS’s container fails on it, too',
  },
  {
    what: '`inference.py` that imports packages besides the standard library',
    remedy: '`--handlers python` installs its requirements',
  },
  {
    what: 'a Keras file (`.keras`, `.h5`) in place of a SavedModel',
    remedy: 'save it with `model.export(folder)`',
  },
];
