import { Condition } from '../../problem/conditions.ts';
import type { VerifiedStack } from './check.ts';

/**
 * Physical id of a resource of the stack.
 *
 * @throws {ResourceMissing} where another release is deployed
 */
export function resourceOf(
  { name, resources }: Pick<VerifiedStack, 'name' | 'resources'>,
  logicalId: string,
): string {
  const found = resources.find((resource) => resource.logicalId === logicalId);
  if (found !== undefined) return found.physicalId;
  throw new Condition(
    'ResourceMissing',
    `stack ${name} has no resource ${logicalId}: deploy this release again`,
  );
}

/**
 * An output of the stack.
 *
 * @throws {ResourceMissing} where another release is deployed
 */
export function outputOf(
  { name, description }: Pick<VerifiedStack, 'name' | 'description'>,
  output: string,
): string {
  const found = description.outputs.get(output);
  if (found !== undefined) return found;
  throw new Condition('ResourceMissing', `stack ${name} has no output ${output}: deploy this release again`);
}

/**
 * The value of a parameter of the stack.
 *
 * @throws {ResourceMissing} where another release is deployed
 */
export function parameterOf(
  { name, description }: Pick<VerifiedStack, 'name' | 'description'>,
  parameter: string,
): string {
  const found = description.parameters.get(parameter);
  if (found !== undefined) return found;
  throw new Condition(
    'ResourceMissing',
    `stack ${name} has no parameter ${parameter}: deploy this release again`,
  );
}
