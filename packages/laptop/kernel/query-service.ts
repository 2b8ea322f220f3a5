import type { ServerResponse } from 'node:http';
import { operationOf, type ServiceModel, serviceModel } from '../service-model/model.ts';
import { readForm } from '../service-model/read-form.ts';
import { type Action, parseStrictly } from './action.ts';
import type { AwsError } from './aws-error.ts';
import { calledAction, permissionsOf } from './called-action.ts';
import { toKnownError } from './known-error.ts';
import type { Service, ServiceRequest } from './service.ts';
import { toXmlDocument, type XmlValue } from './xml.ts';

/** An object becomes `<Action>Result`; nothing means an answer without result. Arrays go out as `<member>`, a `Map` as `<entry>`. */
type QueryOutput = { readonly [name: string]: XmlValue } | undefined | void;

interface QueryServiceOptions {
  /** Name of the folder in `packages/laptop/`. */
  readonly name: string;
  /** Version such as `2010-03-31`; with the form's `Version` it decides which service a call is for. */
  readonly apiVersion: string;
  /** Namespace such as `http://sns.amazonaws.com/doc/2010-03-31/`. */
  readonly xmlns: string;
  /** Their input has the shape a JSON call would have; timestamps are epoch seconds. */
  readonly actions: readonly Action<QueryOutput>[];
  /** The code for input that an action's schema refuses; `ValidationError` unless the API names it otherwise. */
  readonly validationCode?: string;
  readonly close?: () => Promise<void> | void;
}

/** A service of AWS's Query protocol: a form in, XML out. */
export function queryService(options: QueryServiceOptions): Service {
  const actions = new Map(options.actions.map((action) => [action.name, action]));
  const model = serviceModel(options.name, [...actions.keys()]);
  return {
    name: options.name,
    match: (request) => request.form?.get('Version') === options.apiVersion,
    permissions: ({ form = new URLSearchParams() }) =>
      permissionsOf(options.name, actions.get(form.get('Action') ?? ''), async () =>
        readForm(model, operationOf(model, form.get('Action') ?? ''), form),
      ),
    callOf({ form }) {
      const operation = form?.get('Action') ?? '';
      const { validationCode } = options;
      return actions.has(operation) ? { model, operation, validationCode } : undefined;
    },
    async answer(request, response) {
      const action = request.form?.get('Action') ?? '';
      try {
        const output = await run(options.name, actions, model, request, action);
        const metadata = { ResponseMetadata: { RequestId: request.requestId } };
        const content = output === undefined ? metadata : { [`${action}Result`]: output, ...metadata };
        const document = toXmlDocument(`${action}Response`, content, {
          namespace: options.xmlns,
          lists: 'member',
        });
        send(response, request.requestId, 200, document);
      } catch (thrown) {
        const error = toKnownError(thrown, options.validationCode ?? 'ValidationError', action);
        sendQueryError(response, request.requestId, options.xmlns, error);
      }
    },
    close: async () => options.close?.(),
  };
}

/** The document every Query protocol error has. */
export function sendQueryError(
  response: ServerResponse,
  requestId: string,
  xmlns: string,
  error: AwsError,
): void {
  const type = error.statusCode < 500 ? 'Sender' : 'Receiver';
  const content = { Error: { Type: type, Code: error.code, Message: error.message }, RequestId: requestId };
  send(
    response,
    requestId,
    error.statusCode,
    toXmlDocument('ErrorResponse', content, { namespace: xmlns }),
    error.headers,
  );
}

async function run(
  service: string,
  actions: ReadonlyMap<string, Action<QueryOutput>>,
  model: ServiceModel,
  request: ServiceRequest,
  actionName: string,
): Promise<QueryOutput> {
  const { action, context } = calledAction(service, actions, actionName, request, {
    anonymous: 'MissingAuthenticationToken',
    unknown: 'InvalidAction',
  });
  const input = readForm(model, operationOf(model, actionName), request.form ?? new URLSearchParams());
  return action.run(input, context, parseStrictly);
}

function send(
  response: ServerResponse,
  requestId: string,
  statusCode: number,
  document: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(document);
  response.writeHead(statusCode, {
    ...headers,
    'content-type': 'text/xml',
    'content-length': bytes.length,
    'x-amzn-requestid': requestId,
  });
  response.end(bytes);
}
