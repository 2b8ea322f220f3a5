import type { Signature, Tensor, TensorSpec } from '@inferdrop/savedmodel/servable-model';
import { DEFAULT_SIGNATURE } from '../served-model.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonDocument,
} from './json-document.ts';
import { isBase64Object, JsonTensor, measureShape } from './json-tensor.ts';
import { toPrettyJson } from './json-writer.ts';
import { invalidArgument, ServingError } from './serving-error.ts';

/** `row` has `instances`, each with every input; `column` has `inputs`, each whole. The answer keeps the form. */
export type PredictForm = 'row' | 'column';

interface PredictRequest {
  readonly signature: Signature;
  readonly form: PredictForm;
  readonly feeds: ReadonlyMap<string, Tensor>;
}

/**
 * Reads the body of `:predict`.
 *
 * @throws {ServingError} with TensorFlow Serving's code and words
 */
export function parsePredictRequest(body: string, signatures: readonly Signature[]): PredictRequest {
  if (canParseFast(signatures)) {
    // The host's own parser is several times faster, but loses how numbers were written: whatever it stumbles
    // over is read again below, so that each refusal comes from the exact parser.
    try {
      const document: JsonValue = JSON.parse(body);
      return readRequest(document, signatures);
    } catch (error) {
      if (!(error instanceof ServingError) && !(error instanceof SyntaxError)) throw error;
    }
  }
  if (body === '') throw invalidArgument('JSON Parse error: The document is empty');
  return readRequest(parseJsonDocument(body), signatures);
}

function canParseFast(signatures: readonly Signature[]): boolean {
  return signatures.every(({ inputs }) =>
    inputs.every(({ dtype }) => dtype === 'string' || dtype === 'float32' || dtype === 'float64'),
  );
}

function readRequest(document: JsonValue, signatures: readonly Signature[]): PredictRequest {
  if (!isJsonObject(document)) throw formatError(document, 'Is not object');
  const signature = chooseSignature(document, signatures);
  const { instances, inputs } = document;
  if (instances !== undefined && inputs !== undefined)
    throw formatError(
      document,
      "Not formatted correctly expecting only one of 'inputs' or 'instances' keys to exist ",
    );
  if (instances !== undefined) {
    if (!isJsonArray(instances)) throw formatError(document, "Excepting 'instances' to be an list/array");
    if (instances.length === 0) throw formatError(document, "No values in 'instances' array");
    return { signature, form: 'row', feeds: feedRows(instances, signature.inputs) };
  }
  if (inputs !== undefined)
    return { signature, form: 'column', feeds: feedColumns(inputs, signature.inputs) };
  throw invalidArgument("Missing 'inputs' or 'instances' key");
}

function chooseSignature(document: JsonObject, signatures: readonly Signature[]): Signature {
  const named = document['signature_name'];
  if (named !== undefined && typeof named !== 'string')
    throw invalidArgument(
      `JSON Value: ${toPrettyJson(document)} not formatted correctly. 'signature_name' key must be a string value.`,
    );
  const name = named === undefined || named === '' ? DEFAULT_SIGNATURE : named;
  const signature = signatures.find((candidate) => candidate.name === name);
  if (!signature) throw invalidArgument(`Serving signature name: "${name}" not found in signature def`);
  if (signature.inputs.length === 0)
    throw invalidArgument(`Failed to get input map for signature: ${named || 'DEFAULT'}`);
  return signature;
}

function feedRows(
  instances: readonly JsonValue[],
  specs: readonly TensorSpec[],
): ReadonlyMap<string, Tensor> {
  if (!isJsonObject(instances[0]) && specs.length > 1)
    throw invalidArgument(
      'instances is a plain list, but expecting list of objects as multiple input tensors required as per tensorinfo_map',
    );
  const named = isNamedInstance(instances[0]);
  const tensors = new Map<string, JsonTensor>();
  const expectedKeys = specs.map((spec) => spec.name).sort();
  instances.forEach((instance, index) => {
    if (isJsonObject(instance) && !isBase64Object(instance)) {
      if (!named) throw invalidArgument(`Expecting value/list but got object at item ${index} of input list`);
      for (const [name, value] of Object.entries(instance))
        inElement(`${index} key: ${name}`, () => addInstance(value, name, specs, tensors));
      if (Object.keys(instance).sort().join('\0') !== expectedKeys.join('\0'))
        throw invalidArgument(
          `Failed to process element: ${index} of 'instances' list. JSON object: ${toPrettyJson(instance)} keys must ` +
            `be equal to: ${expectedKeys.join(',')}`,
        );
    } else {
      if (named) throw invalidArgument(`Expecting object but got list at item ${index} of input list`);
      inElement(String(index), () => addInstance(instance, expectedKeys[0] ?? '', specs, tensors));
    }
  });
  return new Map(
    [...tensors].map(([name, tensor]) => [name, tensor.toTensor([instances.length, ...tensor.shape])]),
  );
}

function isNamedInstance(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && !isBase64Object(value);
}

function addInstance(
  value: JsonValue,
  name: string,
  specs: readonly TensorSpec[],
  tensors: Map<string, JsonTensor>,
): void {
  const spec = specs.find((candidate) => candidate.name === name);
  if (!spec) throw invalidArgument(`JSON object: does not have named input: ${name}`);
  const shape = measureShape(value);
  const first = tensors.get(name);
  if (!first) {
    const tensor = new JsonTensor(spec.dtype, shape);
    tensor.add(value);
    tensors.set(name, tensor);
    return;
  }
  const size = shape.reduce((product, dim) => product * dim, 1);
  const firstSize = first.shape.reduce((product, dim) => product * dim, 1);
  if (size !== firstSize) throw invalidArgument(`Expecting tensor size: ${firstSize} but got: ${size}`);
  if (shape.join() !== first.shape.join())
    throw invalidArgument(`Expecting shape [${first.shape.join(',')}] but got: [${shape.join(',')}]`);
  first.add(value);
}

function inElement(where: string, add: () => void): void {
  try {
    add();
  } catch (error) {
    if (!(error instanceof ServingError)) throw error;
    throw invalidArgument(
      `Failed to process element: ${where} of 'instances' list. Error: ${error.toString()}`,
    );
  }
}

function feedColumns(inputs: JsonValue, specs: readonly TensorSpec[]): ReadonlyMap<string, Tensor> {
  const [first] = specs;
  if (!isNamedInstance(inputs)) {
    if (specs.length > 1 || !first)
      throw invalidArgument(
        'inputs is a plain value/list, but expecting an object as multiple input tensors required as per tensorinfo_map',
      );
    return new Map([[first.name, wholeTensor(inputs, first)]]);
  }
  return new Map(
    specs.map((spec) => {
      const value = isJsonObject(inputs) ? inputs[spec.name] : undefined;
      if (value === undefined) throw invalidArgument(`Missing named input: ${spec.name} in 'inputs' object.`);
      return [spec.name, wholeTensor(value, spec)];
    }),
  );
}

function wholeTensor(value: JsonValue, spec: TensorSpec): Tensor {
  const tensor = new JsonTensor(spec.dtype, measureShape(value));
  tensor.add(value);
  return tensor.toTensor(tensor.shape);
}

function formatError(value: JsonValue, message: string): ServingError {
  return invalidArgument(`JSON Value: ${toPrettyJson(value)} ${message}`);
}
