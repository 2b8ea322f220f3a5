import { isCondition } from '../../problem/conditions.ts';
import type { Finding } from '../../verify/finding.ts';
import { onlyAws } from './only-aws.ts';

/** Errors of a service for an unknown call, and of the stack on this machine for one that it does not emulate. */
const NOT_EMULATED = new Set(['UnknownOperationException', 'UnknownOperation', 'InvalidAction']);

/**
 * The finding of a check; a refusal by AWS becomes a finding, too, so that it does not hide the others.
 *
 * @throws {VerificationInterrupted}
 */
export async function runCheck(
  check: () => Promise<Finding>,
  { isAws }: { readonly isAws: boolean },
): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    if (isCondition(error, 'VerificationInterrupted')) throw error;
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
    if (!isAws && NOT_EMULATED.has(name)) return onlyAws('this machine does not emulate the call');
    if (name === 'AccessDenied')
      return {
        answered: message,
        verdict: 'not run',
        means: 'Your own credentials may not ask this. docs/verify.md has the policy that the command needs.',
      };
    return {
      answered: `${name}: ${message}`,
      verdict: 'failed',
      means: 'The check could not be carried out. Try again; if it stays, report this file.',
    };
  }
}
