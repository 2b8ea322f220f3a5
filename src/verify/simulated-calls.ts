import type { Finding } from './finding.ts';

/** IAM's decision on one call of one role. */
export interface SimulatedCall {
  readonly role: string;
  readonly action: string;
  readonly resource: string;
  /** IAM's words: `allowed`, `implicitDeny`, `explicitDeny`. */
  readonly decision: string;
}

/** Whether each role of the stack has the permissions of its use case. */
export function judgeSimulatedCalls(
  calls: readonly SimulatedCall[],
  missingRoles: readonly string[],
): Finding {
  const denied = calls.filter(({ decision }) => decision !== 'allowed');
  const roles = new Set(calls.map(({ role }) => role)).size;
  const counted = `${calls.length - denied.length} of ${calls.length} calls of ${roles} roles are allowed`;
  if (missingRoles.length > 0)
    return {
      answered: `${counted}; the stack has no ${missingRoles.join(', ')}`,
      verdict: 'failed',
      means: 'The stack was deployed from another release than this command’s: deploy again.',
    };
  if (denied.length === 0)
    return {
      answered: counted,
      verdict: 'ok',
      means: 'No policy of the stack lacks a permission that its calls need.',
    };
  const byRole = Map.groupBy(denied, ({ role }) => role);
  const lines = [...byRole].map(
    ([role, theirs]) => `${role} ${theirs.map((one) => `${one.action} (${one.decision})`).join(', ')}`,
  );
  return {
    answered: `${counted}; not: ${lines.join('; ')}`,
    verdict: 'failed',
    means: denied.some(({ decision }) => decision === 'explicitDeny')
      ? 'A policy denies it by name: look for a permission boundary, or a policy of your organization.'
      : 'The role lacks the permission: deploy this release again; if it stays, report this file.',
  };
}
