import type { Signature } from '../engine/servable-model.ts';
import type { JsonObject, JsonValue } from './json-document.ts';
import { isJsonArray, isJsonObject, parseJsonDocument } from './json-document.ts';
import { toPrettyJson } from './json-writer.ts';
import { invalidArgument, ServingError } from './serving-error.ts';

/** The methods that take `tf.Example`s instead of tensors. */
export type ExamplesVerb = 'classify' | 'regress';

const WORDS = {
  classify: { noun: 'classification', method: 'tensorflow/serving/classify' },
  regress: { noun: 'regression', method: 'tensorflow/serving/regress' },
} as const;

/** Name of the signature that is asked for; the examples themselves are not read. @throws {ServingError} */
export function parseExamplesRequest(body: string): string {
  if (body === '') throw invalidArgument('JSON Parse error: The document is empty');
  const document = parseJsonDocument(body);
  if (!isJsonObject(document)) throw formatError(document, 'Is not object');
  const { signature_name: named, examples } = document;
  if (named !== undefined && typeof named !== 'string')
    throw formatError(document, "not formatted correctly. 'signature_name' key must be a string value.");
  if (examples === undefined) {
    throw formatError(document, "When method is classify, key 'examples' is expected and was not found");
  }
  if (!isJsonArray(examples)) throw formatError(document, "Expecting 'examples' value to be an list/array");
  if (examples.length === 0) throw formatError(document, "'examples' value is an empty array");
  return named === undefined || named === '' ? 'serving_default' : named;
}

/**
 * Why a request with examples cannot be served: mostly because the signature is one of `:predict`. Those that are made for
 * examples parse them in the graph, which no engine of this stack does.
 */
export function refuseExamples(
  verb: ExamplesVerb,
  name: string,
  signatures: readonly Signature[],
): ServingError {
  const signature = signatures.find((candidate) => candidate.name === name);
  if (!signature) return invalidArgument(`No signature was found with the name: ${name}`);
  const { noun, method } = WORDS[verb];
  const was = signature.methodName ?? 'tensorflow/serving/predict';
  if (was !== method)
    return invalidArgument(`Expected ${noun} signature method_name to be ${method}. Was: ${was}`);
  return new ServingError(
    'UNIMPLEMENTED',
    `This stack does not emulate ${verb}: send the request to :predict`,
  );
}

function formatError(value: JsonValue | JsonObject, message: string): ServingError {
  return invalidArgument(`JSON Value: ${toPrettyJson(value)} ${message}`);
}
