import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { StatesDeps } from './deps.ts';

/** Counts of items and of children, as far as the run is. */
export const describeMapRun = ({ mapRuns }: StatesDeps) =>
  action('DescribeMapRun', {
    input: z.strictObject({ mapRunArn: z.string() }),
    run: ({ mapRunArn }) => {
      const run = mapRuns.get(mapRunArn);
      if (!run) throw new AwsError('ResourceNotFound', `Resource not found: '${mapRunArn}'`);
      return {
        mapRunArn: run.arn,
        executionArn: run.executionArn,
        status: run.status,
        startDate: run.startMs / 1000,
        stopDate: run.stopMs === undefined ? undefined : run.stopMs / 1000,
        maxConcurrency: run.maxConcurrency,
        toleratedFailureCount: run.toleratedFailureCount,
        toleratedFailurePercentage: run.toleratedFailurePercentage,
        itemCounts: { ...run.itemCounts, failuresNotRedrivable: 0, pendingRedrive: 0 },
        executionCounts: { ...run.executionCounts, failuresNotRedrivable: 0, pendingRedrive: 0 },
        redriveCount: 0,
      };
    },
  });
