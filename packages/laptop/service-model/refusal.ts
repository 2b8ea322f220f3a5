import { AwsError } from '../kernel/aws-error.ts';
import type { ModeledCall } from './call.ts';
import { type Finding, memberPath, toValidationMessage } from './finding.ts';

/** The error that AWS gives for input outside its model. Members that the model does not know are refused, though AWS ignores them. */
export function toRefusal(call: ModeledCall, findings: readonly Finding[]): AwsError {
  const special = call.toRefusal?.(findings);
  if (special) return special;
  const { model, operation } = call;
  const { validation: usual, type } = CODES[model.protocol];
  const validation = call.validationCode ?? usual;
  const unknown = findings.find(({ kind }) => kind === 'unknown');
  if (unknown) return new AwsError(validation, unknownMember(operation, unknown));
  const wrong = findings.find((finding) => finding.kind === 'type');
  if (wrong) return new AwsError(type, `${wrong.text} (${memberPath(wrong.path)} of ${operation})`);
  return new AwsError(validation, toValidationMessage(findings));
}

/** Names a member that AWS's model of the call does not have, and those that it has. */
function unknownMember(operation: string, finding: Finding): string {
  return (
    `The local stack refuses ${memberPath(finding.path)} of ${operation}: AWS's model has no such member; it has ` +
    `${finding.text || 'none'}`
  );
}

const JSON_CODES = { validation: 'ValidationException', type: 'SerializationException' };
const CODES: Readonly<Record<ModeledCall['model']['protocol'], typeof JSON_CODES>> = {
  json: JSON_CODES,
  'rest-json': JSON_CODES,
  'rest-xml': { validation: 'InvalidArgument', type: 'InvalidArgument' },
  query: { validation: 'ValidationError', type: 'MalformedInput' },
};
