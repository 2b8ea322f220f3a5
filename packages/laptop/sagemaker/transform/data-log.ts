import type { Clock } from '../../kernel/clock.ts';
import type { LogWriter } from '../../kernel/ports.ts';

/** Log group of transform jobs in SageMaker: what containers print, and the service's own data logs. */
export const LOG_GROUP = '/aws/sagemaker/TransformJobs';

/** The service's own log of one instance's part of a job: its settings, and why each failed object failed. */
export interface DataLog {
  settings(maxConcurrentTransforms: number, maxPayloadInMB: number, batchStrategy: string): void;
  /** `detail` follows line by line under `Message:`. */
  failure(bucket: string, key: string, reason: string, detail?: string): void;
}

/** Writes lines of the form `2020-10-14T04:08:19.163:[sagemaker logs]: …`. */
export function createDataLog(logs: LogWriter, clock: Clock, stream: string): DataLog {
  const write = (message: string): void => {
    const time = new Date(clock.now()).toISOString().slice(0, -1);
    logs.write(LOG_GROUP, `${stream}/data-log`, `${time}:[sagemaker logs]: ${message}`);
  };
  return {
    settings: (concurrency, payload, strategy) =>
      write(
        `MaxConcurrentTransforms=${concurrency}, MaxPayloadInMB=${payload}, ` +
          `BatchStrategy=${strategy === 'SingleRecord' ? 'SINGLE_RECORD' : 'MULTI_RECORD'}`,
      ),
    failure(bucket, key, reason, detail) {
      const name = `${bucket}/${key}`;
      write(`${name}: ${reason}`);
      if (detail === undefined) return;
      write(`${name}: `);
      write(`${name}: Message:`);
      for (const line of detail.split('\n')) write(`${name}: ${line}`);
    },
  };
}
