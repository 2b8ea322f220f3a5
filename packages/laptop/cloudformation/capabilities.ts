import { AwsError } from '../kernel/aws-error.ts';
import type { Template } from './template.ts';

/** Property that names an IAM resource, by type; undefined if the type has no such property. */
const NAMES_OF_IAM: Readonly<Record<string, string | undefined>> = {
  'AWS::IAM::Role': 'RoleName',
  'AWS::IAM::ManagedPolicy': 'ManagedPolicyName',
  'AWS::IAM::Policy': undefined,
};

/** Capabilities that the deployer must acknowledge, and the types that need them; none without IAM. */
function requiredCapability(
  template: Template,
): { readonly capability: string; readonly types: readonly string[] } | undefined {
  const ofIam = Object.values(template.Resources).filter(({ Type }) => Object.hasOwn(NAMES_OF_IAM, Type));
  if (ofIam.length === 0) return undefined;
  const isNamed = ofIam.some(({ Type, Properties }) => {
    const name = NAMES_OF_IAM[Type];
    return name !== undefined && Object.hasOwn(Properties, name);
  });
  return {
    capability: isNamed ? 'CAPABILITY_NAMED_IAM' : 'CAPABILITY_IAM',
    types: [...new Set(ofIam.map(({ Type }) => Type))],
  };
}

/** The members of an answer that say which capabilities a template needs, and why. */
export function shownCapabilities(template: Template) {
  const required = requiredCapability(template);
  return {
    Capabilities: required && [required.capability],
    CapabilitiesReason:
      required && `The following resource(s) require capabilities: [${required.types.join(', ')}]`,
  };
}

/** @throws {AwsError} `InsufficientCapabilitiesException` */
export function checkCapabilities(template: Template, given: readonly string[]): void {
  const required = requiredCapability(template)?.capability;
  if (required === undefined || given.includes(required) || given.includes('CAPABILITY_NAMED_IAM')) return;
  throw new AwsError('InsufficientCapabilitiesException', `Requires capabilities : [${required}]`);
}
