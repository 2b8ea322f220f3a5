import { parseJsonBody } from '../kernel/json.ts';
import type { CallSource, ModeledCall } from './call.ts';
import { checkValue } from './check-value.ts';
import { type Operation, operationOf, serviceModel, shapeOf } from './model.ts';
import { readForm } from './read-form.ts';
import { readRequestParts } from './read-rest.ts';
import { toRefusal } from './refusal.ts';

/**
 * Holds a request against AWS's own model of the call: members, types, lengths, ranges, patterns, enums.
 *
 * @throws {AwsError} as AWS names it, in the words of the service and its protocol
 */
export async function checkRequest(call: ModeledCall, source: CallSource): Promise<void> {
  const { model } = call;
  const operation = operationOf(model, call.operation);
  const value = await readInput(call, operation, source);
  // The bodies of S3 stream; those that are XML are checked where they are read.
  const elsewhere = model.protocol === 'rest-xml' ? payloadOf(call, operation) : undefined;
  const findings = checkValue(model, operation.input?.shape, value, elsewhere);
  if (findings.length > 0) throw toRefusal(call, findings);
}

async function readInput(call: ModeledCall, operation: Operation, source: CallSource): Promise<unknown> {
  const { model, labels = {}, headers = source.headers } = call;
  switch (model.protocol) {
    case 'json':
      return parseJsonBody(await source.body());
    case 'query':
      return readForm(model, operation, source.form ?? new URLSearchParams());
    case 'rest-xml':
      return readRequestParts(model, operation, labels, source.query, headers);
    case 'rest-json': {
      const parts = readRequestParts(model, operation, labels, source.query, headers);
      const body = await source.body();
      const payload = payloadOf(call, operation);
      if (payload !== undefined) return { ...parts, [payload]: body };
      const members = parseJsonBody(body);
      return typeof members === 'object' ? { ...parts, ...members } : members;
    }
  }
}

function payloadOf({ model }: ModeledCall, { input }: Operation): string | undefined {
  return input && shapeOf(model, input.shape).payload;
}

/**
 * Holds what a resource of a template would be asked of its service against AWS's model of that call.
 *
 * @throws {AwsError} as for the call itself
 */
export function checkCall(service: string, operation: string, input: object): void {
  const model = serviceModel(service, [operation]);
  const findings = checkValue(model, operationOf(model, operation).input?.shape, input);
  if (findings.length > 0) throw toRefusal({ model, operation }, findings);
}
