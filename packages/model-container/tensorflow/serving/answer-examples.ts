import type { ServableModel, Signature, Tensor } from '@inferdrop/savedmodel/servable-model';
import { DEFAULT_SIGNATURE } from '../served-model.ts';
import { toDecimal } from './decimal.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonDocument,
} from './json-document.ts';
import { toExample } from './json-example.ts';
import { toJsonString, toPrettyJson } from './json-writer.ts';
import { DATA_TYPES } from './metadata.ts';
import { invalidArgument, ServingError } from './serving-error.ts';

/** A request to `:classify` or `:regress`. */
interface ExamplesRequest {
  readonly signature: string;
  /** Serialized `tensorflow.Example`s, each behind the context that all share. */
  readonly examples: readonly Uint8Array[];
}

/** Reads the body of `:classify` or `:regress`. @throws {ServingError} in TensorFlow Serving's words */
function parseExamplesRequest(body: string): ExamplesRequest {
  if (body === '') throw invalidArgument('JSON Parse error: The document is empty');
  const document = parseJsonDocument(body);
  if (!isJsonObject(document)) throw formatError(document, 'Is not object');
  const { signature_name: named, context, examples } = document;
  if (named !== undefined && typeof named !== 'string')
    throw formatError(document, "not formatted correctly. 'signature_name' key must be a string value.");
  const shared = context === undefined ? new Uint8Array() : toExample(context);
  if (examples === undefined) {
    // So it says for both methods.
    throw formatError(document, "When method is classify, key 'examples' is expected and was not found");
  }
  if (!isJsonArray(examples)) throw formatError(document, "Expecting 'examples' value to be an list/array");
  if (examples.length === 0) throw formatError(document, "'examples' value is an empty array");
  return {
    signature: named === undefined || named === '' ? DEFAULT_SIGNATURE : named,
    examples: examples.map((example) => Buffer.concat([shared, toExample(example)])),
  };
}

function formatError(value: JsonValue | JsonObject, message: string): ServingError {
  return invalidArgument(`JSON Value: ${toPrettyJson(value)} ${message}`);
}

/** The methods that take `tf.Example`s instead of tensors. */
export type ExamplesVerb = 'classify' | 'regress';

const INPUT = 'inputs';

/**
 * Answers `:classify` and `:regress` as TensorFlow Serving does.
 *
 * @param findModel is called once the body has been read
 * @throws {ServingError} in its words
 */
export async function answerExamples(
  verb: ExamplesVerb,
  findModel: () => ServableModel,
  body: string,
): Promise<string> {
  const { signature: name, examples } = parseExamplesRequest(body);
  const model = findModel();
  const signature = model.signatures.find((candidate) => candidate.name === name);
  if (!signature) throw invalidArgument(`No signature was found with the name: ${name}`);
  checkSignature(verb, signature);
  const feed: Tensor = { dtype: 'string', shape: [examples.length], data: examples };
  const outputs = await model.run(name, new Map([[INPUT, feed]]));
  return verb === 'classify' ? toClasses(outputs, examples.length) : toValues(outputs, examples.length);
}

function checkSignature(verb: ExamplesVerb, { methodName, inputs, outputs }: Signature): void {
  const noun = verb === 'classify' ? 'classification' : 'regression';
  const method = `tensorflow/serving/${verb}`;
  const was = methodName ?? 'tensorflow/serving/predict';
  if (was !== method)
    throw invalidArgument(`Expected ${noun} signature method_name to be ${method}. Was: ${was}`);
  if (inputs.length !== 1) throw invalidArgument('Expected one input Tensor.');
  const missing = (message: string) => new ServingError('FAILED_PRECONDITION', message);
  if (verb === 'classify' && outputs.length > 2)
    throw invalidArgument(`Expected one or two output Tensors, found ${outputs.length}`);
  if (verb === 'regress' && outputs.length !== 1) throw invalidArgument('Expected one output Tensor.');
  if (inputs[0]?.name !== INPUT) throw missing(`No ${noun} inputs found in SignatureDef`);
  const names = verb === 'classify' ? ['classes', 'scores'] : ['outputs'];
  if (outputs.some((output) => names.includes(output.name))) return;
  throw missing(
    verb === 'classify'
      ? 'Expected classification signature outputs to contain at least one of "classes" or "scores".'
      : 'No regression outputs found in SignatureDef',
  );
}

function toClasses(outputs: ReadonlyMap<string, Tensor>, count: number): string {
  const classes = ofType(outputs.get('classes'), 'classes', 'string', count);
  const scores = ofType(outputs.get('scores'), 'scores', 'float32', count);
  const [ours = 0, theirs = ours] = [classes, scores].flatMap((tensor) => tensor?.shape[1] ?? []);
  if (ours !== theirs)
    throw invalidArgument(`Tensors class and score should match in dim_size(1). Got ${ours} vs. ${theirs}`);
  const rows = Array.from({ length: count }, (_, row) => {
    const pairs = Array.from({ length: ours }, (__, column) => {
      const place = row * ours + column;
      const label = classes === undefined ? '' : Buffer.from(classes.data[place] ?? []).toString();
      return `[${toJsonString(label)}, ${toDecimal(scores?.data[place] ?? 0, 'float32')}]`;
    });
    return `[${pairs.join(', ')}]`;
  });
  return `{\n    "results": [${rows.join(', ')}\n    ]\n}`;
}

type OfType<T extends Tensor['dtype']> = Extract<Tensor, { dtype: T }>;

function isOfType<T extends Tensor['dtype']>(tensor: Tensor, dtype: T): tensor is OfType<T> {
  return tensor.dtype === dtype;
}

function ofType<T extends Tensor['dtype']>(
  tensor: Tensor | undefined,
  name: string,
  dtype: T,
  count: number,
): OfType<T> | undefined {
  if (tensor === undefined) return undefined;
  const [rows = 0] = tensor.shape;
  if (tensor.shape.length !== 2)
    throw invalidArgument(`Expected Tensor shape: [batch_size num_classes] but got ${shapeOf(tensor)}`);
  if (!isOfType(tensor, dtype))
    throw invalidArgument(
      `Expected ${name} Tensor of ${DATA_TYPES[dtype]}. Got: ${DATA_TYPES[tensor.dtype]}`,
    );
  if (rows !== count) throw invalidArgument(`Expected ${name} output batch size of ${count}. Got: ${rows}`);
  return tensor;
}

function toValues(outputs: ReadonlyMap<string, Tensor>, count: number): string {
  const tensor = outputs.get('outputs');
  if (tensor === undefined) throw new ServingError('INTERNAL', 'The model gave no outputs');
  const [rows = 0, columns = 1] = tensor.shape;
  if (tensor.shape.length === 0 || tensor.shape.length > 2 || columns !== 1)
    throw invalidArgument(
      `Expected output Tensor shape to be either [batch_size] or [batch_size, 1] but got ${shapeOf(tensor)}`,
    );
  if (rows !== count)
    throw invalidArgument(`Input batch size did not match output batch size: ${count} vs. ${rows}`);
  if (!isOfType(tensor, 'float32'))
    throw invalidArgument(`Expected output Tensor of DT_FLOAT.  Got: ${DATA_TYPES[tensor.dtype]}`);
  const values = Array.from(tensor.data, (value) => toDecimal(value, 'float32'));
  return `{\n    "results": [${values.join(', ')}]\n}`;
}

/** A shape in TensorFlow's form. */
function shapeOf({ shape }: Tensor): string {
  return `[${shape.join(',')}]`;
}
