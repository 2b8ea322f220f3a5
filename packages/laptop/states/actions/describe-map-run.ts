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
  });
