import type { Finding } from './finding.ts';

/** IAM's decision on one call of one role. */
export interface SimulatedCall {
  readonly role: string;
  readonly action: string;
  readonly resource: string;
  /** IAM's words: `allowed`, `implicitDeny`, `explicitDeny`. */
  readonly decision: string;
  readonly wanted: 'allowed' | 'denied';
}

/** Whether each role of the stack has the permissions of its use case, and none of those that it must not have. */
export function judgeSimulatedCalls(
  calls: readonly SimulatedCall[],
  missingRoles: readonly string[],
): Finding {
  const needed = calls.filter(({ wanted }) => wanted === 'allowed');
  const forbidden = calls.filter(({ wanted }) => wanted === 'denied');
  const denied = needed.filter(({ decision }) => decision !== 'allowed');
  // A decision that IAM has not given refuses nothing.
  const open = forbidden.filter(({ decision }) => !decision.endsWith('Deny'));
  const roles = new Set(calls.map(({ role }) => role)).size;
  const counted = `${needed.length - denied.length} of ${needed.length} calls of ${roles} roles are allowed, ${forbidden.length - open.length} of ${forbidden.length} forbidden ones refused`;
  if (missingRoles.length > 0)
    return {
      answered: `${counted}; the stack has no ${missingRoles.join(', ')}`,
      verdict: 'failed',
      means: 'The stack was deployed from another release than this command’s: deploy again.',
    };
  if (denied.length + open.length === 0)
    return {
      answered: counted,
      verdict: 'ok',
      means: 'No policy of the stack lacks a permission that its calls need, or gives one that it must not.',
    };
  if (denied.length === 0)
    return {
      answered: `${counted}; not refused: ${list(open)}`,
      verdict: 'failed',
      means:
        'A role may change what is not its own: look for a policy that was added to it by hand, then deploy this release again; if it stays, report this file.',
    };
  return {
    answered: `${counted}; not: ${list(denied)}${open.length === 0 ? '' : `; not refused: ${list(open)}`}`,
    verdict: 'failed',
    means: denied.some(({ decision }) => decision === 'explicitDeny')
      ? 'A policy denies it by name: look for a permission boundary, or a policy of your organization.'
      : 'The role lacks the permission: deploy this release again; if it stays, report this file.',
  };
}

function list(calls: readonly SimulatedCall[]): string {
  const byRole = Map.groupBy(calls, ({ role }) => role);
  return [...byRole]
    .map(([role, theirs]) => `${role} ${theirs.map((one) => `${one.action} (${one.decision})`).join(', ')}`)
    .join('; ');
}
