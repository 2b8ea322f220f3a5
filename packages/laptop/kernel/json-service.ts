import type { ServerResponse } from 'node:http';
import type { ModeledCall } from '../service-model/call.ts';
import { serviceModel } from '../service-model/model.ts';
import { type Action, type ParseInput, parseStrictly } from './action.ts';
import type { AwsError } from './aws-error.ts';
import { calledAction, permissionsOf } from './called-action.ts';
import { parseJsonBody } from './json.ts';
import { toKnownError } from './known-error.ts';
import type { Service, ServiceRequest } from './service.ts';

interface JsonServiceOptions {
  /** Name of the folder in `packages/laptop/`. */
  readonly name: string;
  /** Before the dot of `X-Amz-Target`, as in `AWSStepFunctions` or `Logs_20140328`. */
  readonly target: string;
  readonly version: '1.0' | '1.1';
  readonly actions: readonly Action[];
  /** If the service words a schema's refusals in its own way. */
  readonly parse?: ParseInput;
  /** The code for input that an action's schema refuses; `ValidationException` unless the API names it otherwise. */
  readonly validationCode?: string;
  /** The error for input outside AWS's model, if the service has its own wording. */
  readonly toRefusal?: ModeledCall['toRefusal'];
  readonly close?: () => Promise<void> | void;
}

/**
 * A service of AWS's JSON 1.0 or 1.1 protocol. `Date` values in an output go out as epoch seconds, `undefined` members are left out,
 * and an action that gives nothing answers `{}`.
 */
export function jsonService(options: JsonServiceOptions): Service {
  const prefix = `${options.target}.`;
  const actionOf = ({ headers }: ServiceRequest): string =>
    headers['x-amz-target']?.slice(prefix.length) ?? '';
  const actions = new Map(options.actions.map((action) => [action.name, action]));
  const model = serviceModel(options.name, [...actions.keys()]);
  const contentType = `application/x-amz-json-${options.version}`;
  return {
    name: options.name,
    match: (request) => request.headers['x-amz-target']?.startsWith(prefix) ?? false,
    permissions: async (request) =>
      permissionsOf(options.name, actions.get(actionOf(request)), () => request.body().then(parseJsonBody)),
    callOf(request) {
      const { validationCode, toRefusal } = options;
      const operation = actionOf(request);
      return actions.has(operation) ? { model, operation, validationCode, toRefusal } : undefined;
    },
    async answer(request, response) {
      try {
        const output = await run(options, actions, request, actionOf(request));
        send(response, request.requestId, contentType, 200, output ?? {});
      } catch (thrown) {
        const error = toKnownError(
          thrown,
          options.validationCode ?? 'ValidationException',
          actionOf(request),
        );
        sendJsonError(response, request.requestId, contentType, error);
      }
    },
    close: async () => options.close?.(),
  };
}

/** The body every JSON protocol error has; `headers` of the error go out with it (SQS's `x-amzn-query-error`, for one). */
export function sendJsonError(
  response: ServerResponse,
  requestId: string,
  contentType: string,
  error: AwsError,
): void {
  const headers = { ...error.headers, 'x-amzn-errortype': error.code };
  const body = { __type: error.code, message: error.message, ...error.details };
  send(response, requestId, contentType, error.statusCode, body, headers);
}

async function run(
  { name, parse = parseStrictly }: JsonServiceOptions,
  actions: ReadonlyMap<string, Action>,
  request: ServiceRequest,
  actionName: string,
): Promise<unknown> {
  const { action, context } = calledAction(name, actions, actionName, request, {
    anonymous: 'MissingAuthenticationTokenException',
    unknown: 'UnknownOperationException',
  });
  return action.run(parseJsonBody(await request.body()), context, parse);
}

function send(
  response: ServerResponse,
  requestId: string,
  contentType: string,
  statusCode: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body, epochSeconds));
  response.writeHead(statusCode, {
    ...headers,
    'content-type': contentType,
    'content-length': bytes.length,
    'x-amzn-requestid': requestId,
  });
  response.end(bytes);
}

/** `Date.toJSON` has already run when a replacer sees the value, so the original is read from its holder. */
function epochSeconds(this: unknown, name: string, value: unknown): unknown {
  const original: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, name) : undefined;
  return original instanceof Date ? original.getTime() / 1000 : value;
}
