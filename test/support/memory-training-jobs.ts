import type { LogLine } from '../../src/aws/logs/log-events.ts';
import type { TrainingLogs } from '../../src/aws/logs/training-log.ts';
import type { TrainingJobDescription, TrainingJobs } from '../../src/aws/sagemaker/training-jobs.ts';
import type { TrainingRequest } from '../../src/training/to-training-request.ts';

export interface MemoryTrainingJobs extends TrainingJobs {
  readonly jobs: Map<string, { request: TrainingRequest; description: TrainingJobDescription }>;
  /** Names given to `stop`, in order. */
  readonly stopped: string[];
  update(job: string, change: Partial<TrainingJobDescription>): void;
  /** The next call of this method rejects with this error. */
  failNext(method: keyof TrainingJobs, error: { name: string; message: string }): void;
  tagsOf(arn: string): Promise<Readonly<Record<string, string>>>;
}

/** Training jobs that stay InProgress until a test says otherwise. */
export function memoryTrainingJobs({
  clock = () => new Date(),
}: { clock?: () => Date } = {}): MemoryTrainingJobs {
  const jobs: MemoryTrainingJobs['jobs'] = new Map();
  const stopped: string[] = [];
  const faults: { method: keyof TrainingJobs; error: Error }[] = [];
  const arnOf = (name: string): string => `arn:aws:sagemaker:us-east-1:000000000000:training-job/${name}`;
  const fault = (method: keyof TrainingJobs): void => {
    const at = faults.findIndex((planned) => planned.method === method);
    const found = faults[at];
    if (found === undefined) return;
    faults.splice(at, 1);
    throw found.error;
  };
  const update: MemoryTrainingJobs['update'] = (name, change) => {
    const job = jobs.get(name);
    if (job === undefined) throw new Error(`no job ${name}`);
    jobs.set(name, { ...job, description: { ...job.description, ...change } });
  };
  return {
    jobs,
    stopped,
    update,
    failNext: (method, { name, message }) => {
      faults.push({ method, error: Object.assign(new Error(message), { name }) });
    },
    async start(request) {
      fault('start');
      const { TrainingJobName: name, ResourceConfig, OutputDataConfig } = request;
      if (jobs.has(name))
        throw Object.assign(new Error(`Training job names must be unique: ${name}`), {
          name: 'ResourceInUse',
        });
      const description: TrainingJobDescription = {
        name,
        arn: arnOf(name),
        status: 'InProgress',
        secondaryStatus: 'Starting',
        instanceType: ResourceConfig.InstanceType,
        instanceCount: ResourceConfig.InstanceCount,
        createdAt: clock(),
        artifact: `${OutputDataConfig.S3OutputPath}${name}/output/model.tar.gz`,
        transitions: [],
        finalMetrics: [],
      };
      jobs.set(name, { request, description });
    },
    async describe(name) {
      fault('describe');
      return jobs.get(name)?.description;
    },
    async stop(name) {
      fault('stop');
      stopped.push(name);
      if (jobs.get(name)?.description.status === 'InProgress')
        update(name, { status: 'Stopping', secondaryStatus: 'Stopping' });
    },
    async tagsOf(arn) {
      const job = [...jobs.values()].find(({ description }) => description.arn === arn);
      return Object.fromEntries((job?.request.Tags ?? []).map(({ Key, Value }) => [Key, Value]));
    },
  };
}

/** Logs of training jobs in memory: lines by job and host. */
export function memoryTrainingLogs(
  jobs: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {},
): TrainingLogs {
  const linesOf = (jobName: string): LogLine[] =>
    Object.entries(jobs[jobName] ?? {}).flatMap(([host, texts]) =>
      texts.map((text, at) => ({ at: new Date(at * 1000), stream: `${jobName}/${host}-1700000000`, text })),
    );
  return {
    async *all(jobName, since, _mayRead, host) {
      yield* linesOf(jobName).filter(
        ({ at, stream }) =>
          (since === undefined || at >= since) &&
          (host === undefined || stream.startsWith(`${jobName}/${host}-`)),
      );
    },
    end: async (jobName, most) =>
      linesOf(jobName)
        .filter(({ stream }) => stream.includes('/algo-1-'))
        .slice(-most),
  };
}
