import type { ModelSpec, SageMaker } from '../../src/aws/sagemaker/sagemaker.ts';
import type { Tags } from '../../src/aws/sagemaker/sagemaker-request.ts';
import type { TransformJobDescription, TransformJobSpec } from '../../src/aws/sagemaker/transform-job.ts';

export interface MemorySageMaker extends SageMaker {
  readonly models: Map<string, ModelSpec>;
  readonly jobs: Map<string, { spec: TransformJobSpec; description: TransformJobDescription }>;
  /** Names given to `stopTransformJob`, in order. */
  readonly stopped: string[];
  /** Changes a job's description: `sagemaker.update('job', { status: 'Completed' })`. */
  update(job: string, change: Partial<TransformJobDescription>): void;
  /** The next call of this method rejects with this error. */
  failNext(method: keyof SageMaker, error: { name: string; message: string }): void;
}

/** SageMaker whose jobs stay InProgress until a test says otherwise. */
export function memorySageMaker({ clock = () => new Date() }: { clock?: () => Date } = {}): MemorySageMaker {
  const models = new Map<string, ModelSpec>();
  const jobs: MemorySageMaker['jobs'] = new Map();
  const stopped: string[] = [];
  const faults: { method: keyof SageMaker; error: Error }[] = [];
  const modelArn = (name: string): string => `arn:aws:sagemaker:us-east-1:000000000000:model/${name}`;
  const jobArn = (name: string): string => `arn:aws:sagemaker:us-east-1:000000000000:transform-job/${name}`;
  const fault = (method: keyof SageMaker): void => {
    const at = faults.findIndex((planned) => planned.method === method);
    const found = faults[at];
    if (found === undefined) return;
    faults.splice(at, 1);
    throw found.error;
  };
  const update: MemorySageMaker['update'] = (name, change) => {
    const job = jobs.get(name);
    if (job === undefined) throw new Error(`no job ${name}`);
    jobs.set(name, { ...job, description: { ...job.description, ...change } });
  };
  return {
    models,
    jobs,
    stopped,
    update,
    failNext: (method, { name, message }) => {
      faults.push({ method, error: Object.assign(new Error(message), { name }) });
    },
    async describeModel(name) {
      fault('describeModel');
      const found = models.get(name);
      return found && { roleArn: '', ...found, arn: modelArn(name) };
    },
    async createModel(model) {
      fault('createModel');
      if (models.has(model.name))
        throw taken(`Cannot create already existing model "${modelArn(model.name)}".`);
      models.set(model.name, model);
      return { arn: modelArn(model.name) };
    },
    async deleteModel(name) {
      fault('deleteModel');
      models.delete(name);
    },
    async startTransformJob(spec) {
      fault('startTransformJob');
      if (jobs.has(spec.name)) throw taken(`Job name must be unique: ${spec.name}`);
      const { name, modelName, instanceType, instanceCount, outputUri } = spec;
      const description: TransformJobDescription = {
        name,
        arn: jobArn(name),
        status: 'InProgress',
        modelName,
        instanceType,
        instanceCount,
        inputUri: spec.input.uri,
        outputUri,
        createdAt: clock(),
      };
      jobs.set(name, { spec, description });
      return { arn: jobArn(name) };
    },
    async describeTransformJob(name) {
      fault('describeTransformJob');
      return jobs.get(name)?.description;
    },
    async stopTransformJob(name) {
      fault('stopTransformJob');
      stopped.push(name);
      if (jobs.get(name)?.description.status === 'InProgress')
        update(name, { status: 'Stopped', endedAt: clock() });
    },
    async tagsOf(arn): Promise<Tags> {
      fault('tagsOf');
      const all = [...models.values(), ...[...jobs.values()].map((job) => job.spec)];
      return all.find(({ name }) => arn === modelArn(name) || arn === jobArn(name))?.tags ?? {};
    },
  };
}

function taken(message: string): Error {
  return Object.assign(new Error(message), { name: 'ResourceInUse' });
}
