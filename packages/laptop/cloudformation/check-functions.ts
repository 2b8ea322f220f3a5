import { validationError } from '../kernel/aws-error.ts';
import type { Template } from './template.ts';

/** Every CloudFormation function, including the rule functions and the language extensions. */
const FUNCTIONS = [
  'Fn::Base64',
  'Fn::GetAtt',
  'Fn::GetAZs',
  'Fn::ImportValue',
  'Fn::Join',
  'Fn::Split',
  'Fn::FindInMap',
  'Fn::Select',
  'Ref',
  'Fn::Equals',
  'Fn::If',
  'Fn::Not',
  'Condition',
  'Fn::And',
  'Fn::Or',
  'Fn::Contains',
  'Fn::EachMemberEquals',
  'Fn::EachMemberIn',
  'Fn::ValueOf',
  'Fn::ValueOfAll',
  'Fn::RefAll',
  'Fn::Sub',
  'Fn::Cidr',
];
/** Functions that only a transform reads; the stack has no transforms. */
const BY_TRANSFORM = new Set(['Fn::Transform', 'Fn::Length', 'Fn::ToJsonString', 'Fn::ForEach']);

/** @throws {AwsError} `ValidationError` for a function that CloudFormation does not have */
export function checkFunctions({ Resources, Outputs, Conditions }: Template): void {
  for (const part of [Resources, Outputs, Conditions]) look(part);
}

function look(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(look);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name.startsWith('Fn::') && !FUNCTIONS.includes(name) && !BY_TRANSFORM.has(name))
      throw validationError(
        `Template error: Encountered unsupported function: ${name} Supported functions are: [${FUNCTIONS.join(', ')}]`,
      );
    look(inner);
  }
}
