import { AwsError } from '../kernel/aws-error.ts';

const FORBIDDEN = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]/u;

/**
 * The rule for names of machines and executions.
 *
 * @throws {AwsError} `InvalidName`
 */
export function checkName(name: string): void {
  if (name.length >= 1 && name.length <= 80 && !FORBIDDEN.test(name)) return;
  throw new AwsError('InvalidName', `Invalid Name: '${name}'`);
}
