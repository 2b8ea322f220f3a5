import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { StatesDeps } from './deps.ts';
import { pageOf, Paging } from './page.ts';

/** Calls on runs of Distributed Maps. */
export const mapRunActions = (deps: StatesDeps) => [
  /** Counts of items and of children, as far as the run is. */
  action('DescribeMapRun', {
    input: z.strictObject({ mapRunArn: z.string() }),
    run: ({ mapRunArn }) => {
      const run = deps.mapRuns.get(mapRunArn);
      if (!run) throw new AwsError('ResourceNotFound', `Resource not found: '${mapRunArn}'`);
      const redrives = { failuresNotRedrivable: 0, pendingRedrive: 0 };
      return {
        mapRunArn: run.arn,
        executionArn: run.executionArn,
        status: run.status,
        startDate: run.startMs / 1000,
        stopDate: run.stopMs === undefined ? undefined : run.stopMs / 1000,
        maxConcurrency: run.maxConcurrency,
        toleratedFailureCount: 0,
        toleratedFailurePercentage: 0,
        itemCounts: { ...run.itemCounts, ...redrives },
        executionCounts: { ...run.executionCounts, ...redrives },
        redriveCount: 0,
      };
    },
  }),
  /** Newest first. */
  action('ListMapRuns', {
    input: z.strictObject({ executionArn: z.string(), ...Paging }),
    run: (input) => {
      deps.executions.summary(input.executionArn);
      const own = [...deps.mapRuns.all()]
        .filter(({ executionArn }) => executionArn === input.executionArn)
        .reverse();
      const { page, nextToken } = pageOf(own, ({ arn }) => arn, input);
      const listed = page.map(({ arn, executionArn, machineArn, startMs, stopMs }) => ({
        executionArn,
        mapRunArn: arn,
        stateMachineArn: machineArn,
        startDate: startMs / 1000,
        stopDate: stopMs === undefined ? undefined : stopMs / 1000,
      }));
      return { mapRuns: listed, nextToken };
    },
  }),
];
