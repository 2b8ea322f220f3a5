import { jobFailure } from '../problem/aws-words.ts';
import { type EngineName, type EngineSettings, settingsOf } from './engine-settings.ts';
import type { JobRecord } from './job-record.ts';
import type { PlannedEngine } from './planned-engine.ts';

/** Settings of pipeline.json about hardware. */
interface AskedSettings {
  readonly instanceTypes?: string[];
  readonly instanceCount?: number;
  readonly maxConcurrency?: number;
}

/** The rules of an engine that need no call to it. */
export interface EngineRules {
  /** Title of a job for people. */
  readonly jobTitle: string;
  /** Whether a container is started with the model; else a function opens it, converted, which some models cannot be. */
  readonly startsContainer: boolean;
  /** Whether a job that is stopped loses the answers that it has. */
  readonly losesStopped: boolean;
  /** The machines of a job in words: `2 × ml.m5.xlarge`. */
  hardware(settings: EngineSettings): string;
  /** Largest request of a job in MB; undefined if it isn't a setting. */
  payloadMB(settings: EngineSettings): number | undefined;
  /** Longest time of a request in seconds, if a job's log says why requests failed; otherwise undefined. */
  requestSeconds(planned: PlannedEngine): number | undefined;
  /** The settings of pipeline.json that such a part of a plan follows from. */
  asked(planned: PlannedEngine): AskedSettings;
  /** The settings of a further job on the hardware that the one before was given. */
  onHardwareOf(settings: EngineSettings, before: EngineSettings): EngineSettings;
  /** The settings for a number of inputs that have failed: on the same hardware, gentler with the container than all `planned` jobs. */
  gentler(settings: EngineSettings, planned: readonly EngineSettings[], inputs: number): EngineSettings;
  /** Where people find what a job wrote, as a sentence. */
  logPlace(job: Pick<JobRecord, 'jobName'>): string;
  /** Whether the engine itself failed before the model was called, which says nothing about the model. */
  hasFailedItself(job: Pick<JobRecord, 'failureReason' | 'error'>): boolean;
}

/** Divisor of the requests at once in a retry. */
const GENTLER = 4;
/**
 * Maximum inputs a retry sends one at a time, so that an input that crashes the container doesn't take concurrent requests down. At
 * a second each, they take as long as starting an instance.
 */
const SENT_ALONE = 256;

const sagemaker: EngineRules = {
  jobTitle: 'transform job',
  startsContainer: true,
  losesStopped: true,
  hardware(settings) {
    const { instanceCount, instanceType } = settingsOf('sagemaker', settings);
    return `${instanceCount} × ${instanceType}`;
  },
  payloadMB: (settings) => settingsOf('sagemaker', settings).maxPayloadInMB,
  requestSeconds: (planned) => settingsOf('sagemaker', planned).invocationsTimeoutInSeconds,
  asked(planned) {
    const { instanceTypes, instanceCount } = settingsOf('sagemaker', planned);
    return { instanceTypes, instanceCount };
  },
  onHardwareOf: (settings, before) => ({
    ...settings,
    instanceType: settingsOf('sagemaker', before).instanceType,
  }),
  gentler(settings, planned, inputs) {
    const jobs = planned.map((job) => settingsOf('sagemaker', job));
    const requests = Math.min(...jobs.map((job) => job.maxConcurrentTransforms));
    return {
      ...settings,
      maxConcurrentTransforms: inputs <= SENT_ALONE ? 1 : Math.max(1, Math.floor(requests / GENTLER)),
      maxPayloadInMB: Math.max(...jobs.map((job) => job.maxPayloadInMB)),
    };
  },
  logPlace: ({ jobName }) =>
    `Its log is in the log group /aws/sagemaker/TransformJobs, in the streams that begin with ${jobName}/`,
  hasFailedItself: ({ failureReason }) => jobFailure(failureReason) === 'service',
};

const lambda: EngineRules = {
  jobTitle: 'Lambda job',
  startsContainer: false,
  losesStopped: false,
  hardware(settings) {
    const { maxConcurrency, memoryMB } = settingsOf('lambda', settings);
    return `${maxConcurrency} × Lambda ${memoryMB} MB`;
  },
  payloadMB: () => undefined,
  requestSeconds: () => undefined,
  asked: (planned) => ({ maxConcurrency: settingsOf('lambda', planned).maxConcurrency }),
  onHardwareOf: (settings) => settings,
  // The inputs themselves are sent in smaller bundles.
  gentler: (settings) => settings,
  logPlace: () => 'inferdrop logs shows what its function wrote, from the log group of predict-shard',
  hasFailedItself: ({ error }) => error?.startsWith('States.') === true,
};

/** Rules of each engine. */
export const ENGINE_RULES: Readonly<Record<EngineName, EngineRules>> = { sagemaker, lambda };

/** The rules of the engine that carries out a job. */
export function engineRules({ name }: { readonly name: EngineName }): EngineRules {
  return ENGINE_RULES[name];
}
