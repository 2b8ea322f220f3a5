import type { StackDescription, StackResource } from '../../aws/account/stack.ts';
import { Condition } from '../../problem/conditions.ts';

/** The deployment that is verified, and where it is. */
export interface VerifiedStack {
  /** `inferdrop-<stage>`. */
  readonly name: string;
  readonly description: StackDescription;
  readonly resources: readonly StackResource[];
  /** `AWS`, or the address of its replacement. */
  readonly place: string;
  /** False if `AWS_ENDPOINT_URL` replaces AWS. */
  readonly isAws: boolean;
  readonly account: string;
  readonly partition: string;
  readonly region: string;
}

/**
 * Physical id of a resource of the stack.
 *
 * @throws {ResourceMissing} if another release is deployed
 */
export function resourceOf(stack: Pick<VerifiedStack, 'name' | 'resources'>, logicalId: string): string {
  const resource = stack.resources.find((one) => one.logicalId === logicalId);
  return present(stack, `resource ${logicalId}`, resource?.physicalId);
}

/**
 * An output of the stack.
 *
 * @throws {ResourceMissing} if another release is deployed
 */
export function outputOf(stack: VerifiedStack, name: string): string {
  return present(stack, `output ${name}`, stack.description.outputs.get(name));
}

/**
 * The value of a parameter of the stack.
 *
 * @throws {ResourceMissing} if another release is deployed
 */
export function parameterOf(stack: VerifiedStack, name: string): string {
  return present(stack, `parameter ${name}`, stack.description.parameters.get(name));
}

/** ARN of a role of the stack by its logical id. */
export function roleArnOf(stack: VerifiedStack, logicalId: string): string {
  return `arn:${stack.partition}:iam::${stack.account}:role/${resourceOf(stack, logicalId)}`;
}

function present({ name }: Pick<VerifiedStack, 'name'>, what: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new Condition('ResourceMissing', `stack ${name} has no ${what}: deploy this release again`);
}
