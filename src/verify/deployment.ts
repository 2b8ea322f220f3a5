import type { Finding } from './finding.ts';

/** CloudFormation's description of the stack. */
export interface DeploymentFacts {
  readonly status: string;
  readonly createdAt: Date;
  readonly updatedAt: Date | undefined;
  /** Resources that differ from the last deployment's template. */
  readonly unfinished: readonly { readonly logicalId: string; readonly status: string }[];
}

const DONE = new Set(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE']);

/** Whether the last deployment of the stack reached its end. */
export function judgeDeployment({ status, createdAt, updatedAt, unfinished }: DeploymentFacts): Finding {
  const toDay = (date: Date): string => date.toISOString().slice(0, 10);
  const dates = `created ${toDay(createdAt)}${updatedAt === undefined ? ', never updated' : `, updated ${toDay(updatedAt)}`}`;
  const answered = `${status}, ${dates}${unfinished.map(({ logicalId, status: one }) => `, ${logicalId} ${one}`).join('')}`;
  if (!DONE.has(status) || unfinished.length > 0)
    return {
      answered,
      verdict: status.endsWith('_IN_PROGRESS') ? 'warning' : 'failed',
      means:
        'What runs is not what was last deployed: see the events of the stack in CloudFormation, then deploy again.',
    };
  return {
    answered,
    verdict: 'ok',
    means: `Creation${updatedAt === undefined ? '' : ' and update'} went through. Only you can try "npm run remove" and a first deployment in an empty account (docs/verify.md).`,
  };
}
