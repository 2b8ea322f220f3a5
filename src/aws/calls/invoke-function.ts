import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { parsedJson } from '../../text/parse-json.ts';
import { withErrorNames } from './aws-error.ts';

let client: LambdaClient | undefined;

/**
 * Invokes a function and waits for its answer; the client is built on first use.
 *
 * @throws the error of the function, by its name and message
 */
export async function invokeFunction(name: string, payload: unknown): Promise<unknown> {
  client ??= new LambdaClient();
  const { Payload, FunctionError } = await withErrorNames(
    client.send(new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(payload) })),
  );
  const answer = parsedJson(Payload?.transformToString() ?? '');
  if (FunctionError === undefined) return answer;
  throw toError(answer, FunctionError);
}

function toError(answer: unknown, kind: string): Error {
  const said = typeof answer === 'object' && answer !== null ? answer : {};
  const error = new Error('errorMessage' in said ? String(said.errorMessage) : kind);
  if ('errorType' in said) error.name = String(said.errorType);
  return error;
}
