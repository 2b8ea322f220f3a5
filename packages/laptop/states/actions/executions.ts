import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError, validationException } from '../../kernel/aws-error.ts';
import { onExecution, onMachine } from '../asked-of-role.ts';
import { type ExecutionStatus, ExecutionStopped } from '../engine/execution.ts';
import { withoutData } from '../engine/history.ts';
import type { StatesDeps } from './deps.ts';
import { findExecution } from './find-execution.ts';
import { requireMachine } from './machine-input.ts';
import { pageOf, Paging } from './page.ts';

/** Calls on executions. */
export const executionActions = (deps: StatesDeps) => [
  /** The same name and input again, while it runs, are the same execution. */
  action('StartExecution', {
    input: z.strictObject({
      stateMachineArn: z.string(),
      name: z.string().optional(),
      input: z.string().default('{}'),
      traceHeader: z.string().optional(),
    }),
    permissions: onMachine,
    run: async ({ stateMachineArn, name, input }) => {
      const { executionArn, startMs } = await deps.executions.start(stateMachineArn, input, name);
      return { executionArn, startDate: startMs / 1000 };
    },
  }),
  /** Stops an execution of a machine and answers when it has stopped; children of a map run stop on their own. */
  action('StopExecution', {
    input: z.strictObject({
      executionArn: z.string(),
      error: z.string().max(256).optional(),
      cause: z.string().max(32_768).optional(),
    }),
    permissions: onExecution,
    run: async ({ executionArn, error, cause }) => {
      const child = deps.runningChildren.get(executionArn);
      if (child) {
        child.execution.controller.abort(new ExecutionStopped(error, cause));
        return { stopDate: deps.clock.now() / 1000 };
      }
      deps.executions.stop(executionArn, error, cause);
      const { stopMs } = await deps.executions.ended(executionArn);
      return { stopDate: (stopMs ?? deps.clock.now()) / 1000 };
    },
  }),
  /** Describes an execution of a machine or of a map run; without its data if METADATA_ONLY is requested. */
  action('DescribeExecution', {
    input: z.strictObject({
      executionArn: z.string(),
      includedData: z.enum(['ALL_DATA', 'METADATA_ONLY']).optional(),
    }),
    permissions: onExecution,
    run: ({ executionArn, includedData }) => {
      const execution = findExecution(deps, executionArn);
      const { output } = execution;
      const data = {
        input: execution.input,
        inputDetails: { included: true },
        ...(output === undefined ? {} : { output, outputDetails: { included: true } }),
      };
      return {
        executionArn: execution.arn,
        stateMachineArn: execution.stateMachineArn,
        name: execution.name,
        status: execution.status,
        startDate: execution.startMs / 1000,
        stopDate: execution.stopMs === undefined ? undefined : execution.stopMs / 1000,
        ...(includedData === 'METADATA_ONLY' ? {} : data),
        error: execution.error,
        cause: execution.cause,
        mapRunArn: execution.mapRunArn,
        redriveCount: 0,
        redriveStatus: 'NOT_REDRIVABLE',
        redriveStatusReason: 'Redrive is not emulated by the local stack',
      };
    },
  }),
  /** Oldest first unless `reverseOrder`, in pages; of a running execution what there is. */
  action('GetExecutionHistory', {
    input: z.strictObject({
      executionArn: z.string(),
      reverseOrder: z.boolean().default(false),
      includeExecutionData: z.boolean().default(true),
      ...Paging,
    }),
    permissions: onExecution,
    run: (input) => {
      const all = findExecution(deps, input.executionArn).history();
      const ordered = input.reverseOrder ? all.toReversed() : all;
      const { page, nextToken } = pageOf(ordered, ({ id }) => String(id), input);
      return { events: input.includeExecutionData ? page : page.map(withoutData), nextToken };
    },
  }),
  /** Newest first: of a machine, or of a map run. */
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
  }),
];

interface Listed {
  readonly arn: string;
  readonly name: string;
  readonly machineArn: string;
  readonly mapRunArn?: string;
  readonly status: ExecutionStatus;
  readonly startMs: number;
  readonly stopMs: number | undefined;
}

function listed(
  deps: StatesDeps,
  machineArn: string | undefined,
  mapRunArn: string | undefined,
): readonly Listed[] {
  if ((machineArn === undefined) === (mapRunArn === undefined))
    throw validationException('Give either stateMachineArn or mapRunArn.');
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
