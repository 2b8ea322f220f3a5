import { checkValue } from './check-value.ts';
import { operationOf, serviceModel } from './model.ts';
import { toRefusal } from './refusal.ts';

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
