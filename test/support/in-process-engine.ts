import type { Engine, PrepareForEngine } from '../../src/app/engine/engine.ts';
import type { EngineLogs } from '../../src/app/engine/engine-logs.ts';
import { readBundleItems } from '../../src/app/records/bundle-items.ts';
import { readBundleInputs } from '../../src/app/records/bundles.ts';
import { bucketLayout, runOfKey } from '../../src/run/bucket-layout.ts';
import { settingsOf } from '../../src/transform/engine-settings.ts';
import { InstanceCapacity } from '../../src/transform/instance-capacity.ts';
import type { JobRecord } from '../../src/transform/job-record.ts';
import { toAnswerLine, toBundleHead, toErrorLine } from '../../src/transform/output-bundle.ts';
import type { MemoryObjectStore } from './memory-object-store.ts';

/** Price of one prediction in US dollars. */
export const USD_EACH = 0.001;

export interface InProcessEngineOptions {
  readonly store: MemoryObjectStore;
  readonly clock: () => Date;
  /** The answer for an input, or undefined where the model fails; `crash` costs all inputs of its bundle. */
  readonly predict: (key: string, attempt: number) => string | undefined;
  /** How many starts find all hardware in use. */
  readonly busyStarts?: number;
  /** Hardware that cannot be had, by its name. */
  readonly without?: readonly string[];
  /** Inputs that are predicted between two looks. */
  readonly pace?: number;
}

/** A model refuses an input by itself, or fails. */
const statusOf = (answer: 'refuse' | undefined) => (answer === 'refuse' ? 400 : 500);

interface Job {
  readonly startedAt: Date;
  readonly pending: string[];
  done: number;
  readonly failed: string[];
  endedAt?: Date;
  isStopped?: boolean;
}

/**
 * An engine that has nothing to do with SageMaker: it predicts in this process, some inputs between two looks, and is paid by the
 * prediction. Its settings go by SageMaker's name, since a stack has one engine.
 */
export function inProcessEngine({
  store,
  clock,
  predict,
  busyStarts = 0,
  without = [],
  pace = 2,
}: InProcessEngineOptions): Engine & {
  readonly calls: readonly string[];
  readonly logs: EngineLogs;
  readonly prepare: PrepareForEngine;
} {
  const jobs = new Map<string, Job>();
  const calls: string[] = [];
  let busy = busyStarts;
  const answerBundle = async (job: Job, key: string, attempt: number): Promise<void> => {
    const run = runOfKey(key)!;
    const [, , , , , ...list] = key.split('/').slice(0, -1);
    const items = await readBundleItems(store, run, list.join('/'));
    const bundle = Number(key.split('/').at(-1));
    const item = { ...items[bundle]!, run, list: list.join('/') };
    const inputs = await readBundleInputs(store, item);
    const answers = inputs.map(({ name }) => [name, predict(name, attempt)] as const);
    if (answers.some(([, answer]) => answer === 'crash')) {
      job.failed.push(...inputs.map(({ name }) => name));
      return;
    }
    const failed = answers.flatMap(([, answer], at) =>
      answer === undefined || answer === 'refuse' ? [[at, statusOf(answer)] as [number, number]] : [],
    );
    store.put(
      bucketLayout.bundleOutput(run, item.list, bundle),
      toBundleHead({ inputs: inputs.length, failed, ms: inputs.length, memoryMB: null, isJoint: false }) +
        answers
          .map(([name, answer]) =>
            answer === undefined || answer === 'refuse'
              ? toErrorLine(name, { status: statusOf(answer), message: `attempt ${attempt} did not know it` })
              : toAnswerLine(name, Buffer.from(answer)),
          )
          .join(''),
    );
  };
  const work = async (job: Job, { attempt, input }: JobRecord): Promise<void> => {
    const [{ prefix }] = JSON.parse(store.text(input)!);
    const folder = input.split('/').slice(0, 4).join('/');
    for (const name of job.pending.splice(0, pace)) {
      const key = `${prefix.replace(`s3://${store.bucket}/`, '')}${name}`;
      if (prefix.endsWith('/bundles/')) {
        await answerBundle(job, key, attempt);
        job.done += 1;
        continue;
      }
      const answer = predict(key, attempt);
      if (answer === undefined) job.failed.push(key);
      else store.put(`${folder}/predictions/${name}.out`, answer);
      job.done += 1;
    }
    if (job.pending.length === 0) job.endedAt ??= clock();
  };
  const linesOf = ({ jobName, attempt }: JobRecord) =>
    (jobs.get(jobName)?.failed ?? []).map((key) => ({ key, why: `attempt ${attempt} did not know it` }));
  return {
    calls,
    logs: {
      async *all(record) {
        for (const { key, why } of linesOf(record))
          yield { at: clock(), source: 'process', instance: 'this', text: `${key}: ${why}` };
      },
      async *failures(record, most) {
        for (const { key, why } of linesOf(record).slice(0, most))
          yield { object: `${store.bucket}/${key}`, why, status: undefined, isLate: false };
      },
      runtimes: async () => ['this process'],
    },
    async prepare(run, { model }) {
      calls.push('prepare');
      if (store.text(bucketLayout.model(model.sha256)) === undefined) throw new Error('no archive is kept');
      return `in-process-${run.pipeline}`;
    },
    async start({ record }) {
      calls.push('start');
      if (busy > 0) {
        busy -= 1;
        return { status: 'busy', reasons: ['this process is at work'] };
      }
      const [, ...names] = JSON.parse(store.text(record.input)!);
      if (!jobs.has(record.jobName))
        jobs.set(record.jobName, { startedAt: clock(), pending: names, done: 0, failed: [] });
      return { status: 'started', record: { ...record, status: 'InProgress' } };
    },
    async look({ record }) {
      calls.push('look');
      const job = jobs.get(record.jobName);
      if (job === undefined) return undefined;
      if (without.includes(settingsOf('sagemaker', record.engine).instanceType)) {
        const endedAt = clock().toISOString();
        return {
          ...record,
          status: 'Failed',
          capacity: true,
          failureReason: 'none is left',
          endedAt,
          costUsd: 0,
        };
      }
      if (job.isStopped !== true) await work(job, record);
      const { startedAt, endedAt, failed, done } = job;
      return {
        ...record,
        status:
          endedAt === undefined
            ? 'InProgress'
            : job.isStopped
              ? 'Stopped'
              : failed.length > 0
                ? 'Failed'
                : 'Completed',
        ...(failed.length > 0 && { failureReason: `${failed.length} inputs failed` }),
        startedAt: startedAt.toISOString(),
        ...(endedAt !== undefined && { endedAt: endedAt.toISOString() }),
        costUsd: done * USD_EACH,
      };
    },
    fallback({ plan, record }) {
      calls.push('fallback');
      const { instanceTypes } = settingsOf('sagemaker', plan.engine);
      const settings = settingsOf('sagemaker', record.engine);
      const instanceType = instanceTypes[instanceTypes.indexOf(settings.instanceType) + 1];
      return instanceType === undefined
        ? { error: new InstanceCapacity(instanceTypes, ['none is left']) }
        : { settings: { ...settings, instanceType } };
    },
    async isRunning({ jobName }) {
      const job = jobs.get(jobName);
      return job !== undefined && job.endedAt === undefined;
    },
    async stop({ jobName }) {
      calls.push('stop');
      const job = jobs.get(jobName);
      if (job !== undefined && job.endedAt === undefined) {
        job.endedAt = clock();
        job.isStopped = true;
      }
    },
  };
}
