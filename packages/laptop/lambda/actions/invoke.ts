import { AwsError, validationException } from '../../kernel/aws-error.ts';
import type { AsyncInvocations } from '../async-invocations.ts';
import { parseFunctionReference } from '../function-reference.ts';
import type { FunctionStore } from '../function-store.ts';
import type { RestAction } from '../rest-service.ts';

const MAX_SYNC_BYTES = 6_291_456;
const MAX_ASYNC_BYTES = 1_048_576;
const KINDS = ['RequestResponse', 'Event', 'DryRun'];
const LOG_TYPES = ['None', 'Tail'];

/** `Invoke`, in its three kinds: RequestResponse, Event and DryRun. */
export function invoke(store: FunctionStore, asyncInvocations: AsyncInvocations): RestAction {
  return {
    operation: 'Invoke',
    answer: async ({ FunctionName: name = '' }, request) => {
      const qualifier = request.query.get('Qualifier');
      const target = qualifier === null ? name : `${name}:${qualifier}`;
      const payload = await request.body();
      const kind = oneOf(KINDS, request.headers['x-amz-invocation-type'], 'invocationType');
      const logType = oneOf(LOG_TYPES, request.headers['x-amz-log-type'], 'logType');
      if (request.headers['x-amz-client-context'] !== undefined)
        throw new AwsError(
          'InvalidParameterValueException',
          'ClientContext does not reach functions of the local stack: send it in the payload',
        );
      store.config(target);
      requireSize(payload, kind === 'Event' ? MAX_ASYNC_BYTES : MAX_SYNC_BYTES);
      requireJson(payload);
      if (kind === 'DryRun') return { statusCode: 204 };
      if (kind === 'Event') {
        await asyncInvocations.add(target, request.requestId, payload);
        return { statusCode: 202 };
      }
      const result = await store.invoke(target, request.requestId, payload);
      return {
        statusCode: 200,
        headers: {
          'x-amz-executed-version': parseFunctionReference(target).qualifier,
          ...(result.functionError ? { 'x-amz-function-error': result.functionError } : {}),
          ...(logType === 'Tail' && result.logTail
            ? { 'x-amz-log-result': result.logTail().toString('base64') }
            : {}),
        },
        body: result.payload,
      };
    },
  };
}

/** The first of `allowed` where nothing is given. */
function oneOf(allowed: readonly string[], given: string | undefined, name: string): string | undefined {
  if (given === undefined || allowed.includes(given)) return given ?? allowed[0];
  throw validationException(
    `1 validation error detected: Value '${given}' at '${name}' failed to satisfy constraint: Member must satisfy ` +
      `enum value set: [${allowed.join(', ')}]`,
  );
}

function requireSize(payload: Buffer, limit: number): void {
  if (payload.length <= limit) return;
  throw new AwsError(
    'RequestTooLargeException',
    `Request must be smaller than ${limit} bytes for the InvokeFunction operation, is ${payload.length}`,
    { statusCode: 413 },
  );
}

function requireJson(payload: Buffer): void {
  if (payload.length === 0) return;
  try {
    JSON.parse(payload.toString('utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AwsError('InvalidRequestContentException', `Could not parse request body into json: ${reason}`);
  }
}
