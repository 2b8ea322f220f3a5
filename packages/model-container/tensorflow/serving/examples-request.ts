import { DEFAULT_SIGNATURE } from '../served-model.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonDocument,
} from './json-document.ts';
import { toExample } from './json-example.ts';
import { toPrettyJson } from './json-writer.ts';
import { invalidArgument, type ServingError } from './serving-error.ts';

/** A request to `:classify` or `:regress`. */
export interface ExamplesRequest {
  readonly signature: string;
  /** Serialized `tensorflow.Example`s, each behind the context that all share. */
  readonly examples: readonly Uint8Array[];
}

/** Reads the body of `:classify` or `:regress`. @throws {ServingError} in TensorFlow Serving's words */
export function parseExamplesRequest(body: string): ExamplesRequest {
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
