/** Operations that no converter would help, since TensorFlow itself lacks them, or answers differently each time. */
interface RefusedOperation {
  readonly pattern: RegExp;
  /** The user's remedy. */
  readonly remedy: string;
  /** Whether TensorFlow itself fails on it. */
  readonly failsEverywhere: boolean;
}

const REFUSED: readonly RefusedOperation[] = [
  {
    pattern: /^(?:Eager)?PyFunc(?:Stateless)?$/,
    remedy:
      'it calls a Python function of the process that saved the model (tf.numpy_function, tf.py_function), which no ' +
      'other process has, in TensorFlow or in AWS: ' +
      'write that step with operations of TensorFlow, or do it in code/inference.py',
    failsEverywhere: true,
  },
  {
    pattern: /^SimpleML/,
    remedy:
      'the library tensorflow_decision_forests brings this operation, and TensorFlow lacks it, so that ' +
      '`--engine python` also fails: only a container with TensorFlow Serving built with that library runs the ' +
      'model, and this stack has no such container',
    failsEverywhere: true,
  },
  {
    pattern:
      /^(?:Random(?:Uniform|Standard|Gamma|Poisson|Shuffle|Crop)|ParameterizedTruncated|TruncatedNormal|Multinomial|StatefulRandom|StatefulUniform|StatefulStandard|StatefulTruncated|RngReadAndSkip)/,
    remedy:
      'its answers would differ from request to request, as with random augmentation and dropout in training: ' +
      'export it for inference, with training=False ' +
      '(`--engine python` runs it as it is)',
    failsEverywhere: false,
  },
];

/** The remedy of a model with one of these operations, undefined if none of them is special. An entry may add words to the name. */
export function remedyOf(operations: readonly string[]): string | undefined {
  return REFUSED.find(({ pattern }) => operations.some((operation) => pattern.test(operation)))?.remedy;
}

/** Operations among the given ones that fail in TensorFlow itself. */
export function failingEverywhere(operations: readonly string[]): readonly string[] {
  const failing = REFUSED.filter(({ failsEverywhere }) => failsEverywhere);
  return operations.filter((operation) => failing.some(({ pattern }) => pattern.test(operation)));
}
