import type { StackDescription, StackResource } from '../../../aws/account/stack.ts';
import { day } from '../../../text/dates.ts';
import type { Check } from '../check.ts';
import { type Finding, ok } from '../finding.ts';

const DONE = /^(CREATE|UPDATE|IMPORT)_COMPLETE$/;

/** The stack and its resources, as CloudFormation left them. */
export const deployment: Check = {
  name: 'deployment',
  asks: 'Did the last deployment reach its end?',
  usd: null,
  run: async ({ stack: { description, resources } }) => judgeDeployment(description, resources),
};

/** Whether the last deployment of the stack reached its end. */
export function judgeDeployment(
  { status, createdAt, updatedAt }: Pick<StackDescription, 'status' | 'createdAt' | 'updatedAt'>,
  resources: readonly Pick<StackResource, 'logicalId' | 'status'>[],
): Finding {
  const unfinished = resources.filter((resource) => !DONE.test(resource.status));
  const dates = `created ${day(createdAt)}${updatedAt === undefined ? ', never updated' : `, updated ${day(updatedAt)}`}`;
  const answered = `${status}, ${dates}${unfinished.map(({ logicalId, status: one }) => `, ${logicalId} ${one}`).join('')}`;
  if (!DONE.test(status) || unfinished.length > 0)
    return {
      answered,
      verdict: status.endsWith('_IN_PROGRESS') ? 'warning' : 'failed',
      means:
        'What runs is not what was last deployed: see the events of the stack in CloudFormation, then deploy again.',
    };
  return ok(
    answered,
    `Creation${updatedAt === undefined ? '' : ' and update'} went through. Only you can try "inferdrop remove" and a ` +
      'first deployment in an empty account (docs/verify.md).',
  );
}
