import type { Finding } from './finding.ts';

/** Outcome of a verification's run. */
export interface StackRunFacts {
  /** Final state of its execution, with error and cause where it has them. */
  readonly execution: string;
  readonly files: number;
  /** Undefined where there is no report. */
  readonly report:
    { readonly status: string; readonly predictions: number; readonly gatePassed: boolean } | undefined;
  /** Child executions of the Map run. */
  readonly shards: { readonly succeeded: number; readonly failed: number };
}

/** Whether a drop passes all stages: upload, job, many shards at once, report. */
export function judgeStackRun({ execution, files, report, shards }: StackRunFacts): Finding {
  const answered = `execution ${execution}; ${shards.succeeded} shards folded, ${shards.failed} failed; ${
    report === undefined
      ? 'no report'
      : `report ${report.status} with ${report.predictions} of ${files} predictions`
  }`;
  if (
    report?.status === 'completed' &&
    report.predictions === files &&
    report.gatePassed &&
    shards.succeeded === files
  )
    return {
      answered,
      verdict: 'ok',
      means: `A drop of ${files} files passed all stages, with a function for each of ${files} shards.`,
    };
  return {
    answered,
    verdict: 'failed',
    means: execution.includes('States.Permissions')
      ? 'Step Functions may not start the children of its Map: deploy this release again, and report this file.'
      : 'Runs of this stack do not end well: see the message of the run, and report this file.',
  };
}
