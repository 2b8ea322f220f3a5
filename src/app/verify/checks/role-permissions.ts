import { inOrder } from '../../../concurrency/in-order.ts';
import type { Check, VerifyServices } from '../check.ts';
import { combineFindings, failed, type Finding, ok } from '../finding.ts';
import { roleCalls } from '../role-calls/role-calls.ts';
import { roleArnOf } from '../verified-stack.ts';

/** Name of the role that Application Auto Scaling acts as; its first target of SageMaker makes it. */
const LINKED_ROLE = 'AWSServiceRoleForApplicationAutoScaling_SageMakerEndpoint';

/** IAM throttles simulations at a few a second; the client slows down on its own, and tries again. */
const SIMULATIONS_AT_ONCE = 10;

/** Every call of every role, by IAM's own simulation. */
export const rolePermissions: Check = {
  name: 'role-permissions',
  asks: 'Does IAM allow each role of the stack what its steps call, and refuse what they must not (SimulatePrincipalPolicy)?',
  usd: null,
  run: async (services) => {
    const { stack, roles } = services;
    const calls = roleCalls(stack);
    const there = new Set(stack.resources.map(({ logicalId }) => logicalId));
    const missing = [...new Set(calls.map(({ role }) => role))].filter((role) => !there.has(role));
    const simulated: SimulatedCall[] = [];
    const decided = inOrder(
      calls.filter(({ role }) => there.has(role)),
      SIMULATIONS_AT_ONCE,
      ({ role, actions, resource, context }) =>
        roles.simulate({ roleArn: roleArnOf(stack, role), actions, resource, context }),
    );
    for await (const [{ role, actions, resource, wanted }, decisions] of decided)
      for (const action of actions)
        simulated.push({ role, action, resource, wanted, decision: decisions.get(action) ?? 'not answered' });
    return combineFindings([judgeSimulatedCalls(simulated, missing), await judgeLinkedRole(services)]);
  },
};

async function judgeLinkedRole({ roles }: Pick<VerifyServices, 'roles'>): Promise<Finding> {
  return (await roles.exists(LINKED_ROLE))
    ? ok('the service-linked role of Application Auto Scaling is there', '')
    : ok(
        'no service-linked role of Application Auto Scaling yet',
        'The first endpoint with autoscaling makes the service-linked role.',
      );
}

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
  const counted =
    `${needed.length - denied.length} of ${needed.length} calls of ${roles} roles are allowed, ` +
    `${forbidden.length - open.length} of ${forbidden.length} forbidden ones refused`;
  if (missingRoles.length > 0)
    return failed(
      `${counted}; the stack has no ${missingRoles.join(', ')}`,
      'The stack was deployed from another release than this command’s: deploy again.',
    );
  if (denied.length + open.length === 0)
    return ok(
      counted,
      'No policy of the stack lacks a permission that its calls need, or gives one that it must not.',
    );
  if (denied.length === 0)
    return failed(
      `${counted}; not refused: ${list(open)}`,
      'A role may change what is not its own: look for a policy that was added to it by hand, then deploy this ' +
        'release again; if it stays, report this file.',
    );
  return failed(
    `${counted}; not: ${list(denied)}${open.length === 0 ? '' : `; not refused: ${list(open)}`}`,
    denied.some(({ decision }) => decision === 'explicitDeny')
      ? 'A policy denies it by name: look for a permission boundary, or a policy of your organization.'
      : 'The role lacks the permission: deploy this release again; if it stays, report this file.',
  );
}

function list(calls: readonly SimulatedCall[]): string {
  const byRole = Map.groupBy(calls, ({ role }) => role);
  return [...byRole]
    .map(([role, theirs]) => `${role} ${theirs.map((one) => `${one.action} (${one.decision})`).join(', ')}`)
    .join('; ');
}
