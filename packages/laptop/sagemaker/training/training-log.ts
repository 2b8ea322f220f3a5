import { boundLog } from '@inferdrop/model-container/internal/bounded-log';
import type { Clock } from '../../kernel/clock.ts';
import type { LogWriter, MetricWriter } from '../../kernel/ports.ts';
import type { MetricReader } from './metric-definitions.ts';

/** Log group and metric namespace of the service. */
const TRAINING_JOBS = '/aws/sagemaker/TrainingJobs';

/** Output of a job's hosts, from the start of their instances to the end. */
export interface TrainingLog {
  /** A line of a host: into its stream within the bound, and its metrics into CloudWatch. */
  line(host: string, text: string): void;
  /** A remark of the service itself. */
  note(text: string): void;
  /** Counts what the bound has kept out. */
  close(): void;
}

/** Opens a log stream for each host: `<job>/<host>-<seconds since the epoch>`, with the time of this call. */
export function openTrainingLog(
  {
    logs,
    metrics,
    clock,
  }: { readonly logs: LogWriter; readonly metrics: MetricWriter; readonly clock: Clock },
  jobName: string,
  reader: MetricReader,
): TrainingLog {
  const startSeconds = Math.floor(clock.now() / 1000);
  const write = (host: string, text: string): void =>
    logs.write(TRAINING_JOBS, `${jobName}/${host}-${startSeconds}`, text);
  const bounded = new Map<string, ReturnType<typeof boundLog>>();
  const ofHost = (host: string): ReturnType<typeof boundLog> => {
    const log = bounded.get(host) ?? boundLog((text) => write(host, text), clock);
    bounded.set(host, log);
    return log;
  };
  return {
    line(host, text) {
      ofHost(host).write(text);
      const values = reader.read(text, clock.now());
      if (values.length === 0) return;
      const named = Object.fromEntries(values.map(({ name, value }) => [name, value]));
      // The SDK's TrainingJobAnalytics reads the second.
      for (const dimensions of [{ Host: `${jobName}/${host}` }, { TrainingJobName: jobName }])
        metrics.put(TRAINING_JOBS, dimensions, named);
    },
    note: (text) => write('algo-1', `[sagemaker logs]: ${text}`),
    close: () => bounded.forEach(({ flush }) => flush()),
  };
}
