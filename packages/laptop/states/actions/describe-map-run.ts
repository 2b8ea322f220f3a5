import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { StatesDeps } from './deps.ts';

const Input = z.strictObject({ mapRunArn: z.string() });

/** Counts of items and of children, as far as the run is. */
export function describeMapRun({ mapRuns }: StatesDeps) {
  return (raw: unknown): unknown => {
    const { mapRunArn } = Input.parse(raw);
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
  };
}
