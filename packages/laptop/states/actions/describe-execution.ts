import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onExecution } from '../asked-of-role.ts';
import type { StatesDeps } from './deps.ts';
import { findExecution } from './find-execution.ts';

/** Describes an execution of a machine or of a map run; without its data if METADATA_ONLY is requested. */
export const describeExecution = (deps: StatesDeps) =>
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
  });
