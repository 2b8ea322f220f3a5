import type { ExecutionFacts } from './execution-facts.ts';
import type { ExecutionRecord } from './store/execution-file.ts';
import type { ExecutionSummary } from './store/execution-index.ts';

/** Everything that DescribeExecution returns. */
export interface ExecutionDescription extends ExecutionFacts {
  readonly definitionId: string;
  readonly roleArn: string;
  readonly revisionId: string;
}

/** Description of an execution from its entry in the index and its own file. */
export function descriptionOf(
  summary: ExecutionSummary,
  { begun, ended }: ExecutionRecord,
): ExecutionDescription {
  return {
    arn: summary.arn,
    name: summary.name,
    stateMachineArn: summary.machineArn,
    status: summary.status,
    startMs: summary.startMs,
    stopMs: summary.stopMs,
    input: begun?.input ?? '{}',
    definitionId: begun?.definitionId ?? '',
    roleArn: begun?.roleArn ?? '',
    revisionId: begun?.revisionId ?? '',
    output: ended?.output,
    error: ended?.error,
    cause: ended?.cause,
  };
}
