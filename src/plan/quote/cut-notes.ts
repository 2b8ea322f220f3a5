import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { short } from '../../text/figures.ts';
import { RUNTIME_TOLERANCE } from '../../transform/limit-watch.ts';

/** Notes jobs that are quoted longer than a run may take. */
export function runtimeNotes(
  jobs: readonly { readonly quotedSeconds: number }[],
  { maxRuntimeMinutes }: PipelineConfig['limits'],
): string[] {
  const minutes = jobs.reduce((sum, { quotedSeconds }) => sum + quotedSeconds, 0) / 60;
  if (minutes <= maxRuntimeMinutes) return [];
  const what = jobs.length === 1 ? 'the job is' : `the ${jobs.length} jobs are together`;
  const stopped = short(maxRuntimeMinutes * RUNTIME_TOLERANCE);
  return [
    `${what} quoted at ${Math.ceil(minutes)} minutes, limits.maxRuntimeMinutes is ${maxRuntimeMinutes}: past it no further job starts, ` +
      `and one that still runs after ${stopped} minutes is stopped and what it has predicted is lost: ` +
      'raise limits.maxRuntimeMinutes or transform.instanceCount',
  ];
}

/** Notes an upload that was still under way when the wait for its end was over. */
export function lateUploadNotes(isCutShort: boolean, { maxWaitMinutes }: PipelineConfig['drop']): string[] {
  if (!isCutShort) return [];
  return [
    `files were still arriving when drop.maxWaitMinutes ${maxWaitMinutes} ended the waiting: those that came later make a run of ` +
      'their own. Raise drop.maxWaitMinutes, or set it to 10080 and upload _READY last',
  ];
}
