import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError, validationException } from '../../kernel/aws-error.ts';
import { onMachine } from '../asked-of-role.ts';
import type { ExecutionStatus } from '../engine/execution.ts';
import type { StatesDeps } from './deps.ts';
import { requireMachine } from './machine-input.ts';
import { pageOf, Paging } from './page.ts';

interface Listed {
  readonly arn: string;
  readonly name: string;
  readonly machineArn: string;
  readonly mapRunArn?: string;
  readonly status: ExecutionStatus;
  readonly startMs: number;
  readonly stopMs: number | undefined;
}

/** Newest first: of a machine, or of a map run. */
export const listExecutions = (deps: StatesDeps) =>
  action('ListExecutions', {
    input: z.strictObject({
      stateMachineArn: z.string().optional(),
      mapRunArn: z.string().optional(),
      statusFilter: z
        .enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED', 'PENDING_REDRIVE'])
        .optional(),
      redriveFilter: z.enum(['REDRIVEN', 'NOT_REDRIVEN']).optional(),
      ...Paging,
    }),
    permissions: onMachine,
    run: (input) => {
      const all =
        input.redriveFilter === 'REDRIVEN' ? [] : listed(deps, input.stateMachineArn, input.mapRunArn);
      const wanted = all.filter(
        ({ status }) => input.statusFilter === undefined || status === input.statusFilter,
      );
      const { page, nextToken } = pageOf(wanted, ({ arn }) => arn, input);
      const executions = page.map(({ arn, name, machineArn, mapRunArn, status, startMs, stopMs }) => ({
        executionArn: arn,
        stateMachineArn: machineArn,
        name,
        status,
        startDate: startMs / 1000,
        stopDate: stopMs === undefined ? undefined : stopMs / 1000,
        mapRunArn,
        itemCount: mapRunArn === undefined ? undefined : 1,
        redriveCount: 0,
      }));
      return { executions, nextToken };
    },
  });

function listed(
  deps: StatesDeps,
  machineArn: string | undefined,
  mapRunArn: string | undefined,
): readonly Listed[] {
  if ((machineArn === undefined) === (mapRunArn === undefined)) {
    throw validationException('Give either stateMachineArn or mapRunArn.');
  }
  if (mapRunArn !== undefined) return childrenOf(deps, mapRunArn);
  if (machineArn !== undefined) requireMachine(deps, machineArn);
  return deps.executions.all().filter((execution) => execution.machineArn === machineArn);
}

function childrenOf({ mapRuns, runningChildren }: StatesDeps, mapRunArn: string): readonly Listed[] {
  if (!mapRuns.get(mapRunArn)) throw new AwsError('ResourceNotFound', `Resource not found: '${mapRunArn}'`);
  const children: Listed[] = [];
  mapRuns.children(mapRunArn, ({ arn, name, machineArn, startMs, ended }) => {
    children.push({
      arn,
      name,
      machineArn,
      mapRunArn,
      startMs,
      status: ended.status,
      stopMs: ended.stopMs,
    });
  });
  for (const { execution, mapRunArn: own } of runningChildren.values()) {
    const { arn, name, identity, startMs } = execution;
    if (own !== mapRunArn) continue;
    children.push({
      arn,
      name,
      machineArn: identity.arn,
      mapRunArn,
      startMs,
      status: 'RUNNING',
      stopMs: undefined,
    });
  }
  return children.reverse();
}
