import { type EngineName, type EngineSettings, settingsOf } from './engine-settings.ts';
import type { JobRecord } from './job-record.ts';

/** What is known of an engine without calling it. */
export interface EngineRules {
  /** The machines of a job in words: `2 × ml.m5.xlarge`. */
  hardware(settings: EngineSettings): string;
  /** The settings of a further job on the hardware that the one before was given. */
  onHardwareOf(settings: EngineSettings, before: EngineSettings): EngineSettings;
  /** Where people find what a job wrote, as a sentence. */
  logPlace(job: Pick<JobRecord, 'jobName'>): string;
  /** Whether the engine itself failed before the model was called, which says nothing about the model. */
  hasFailedItself(job: Pick<JobRecord, 'failureReason'>): boolean;
}

const sagemaker: EngineRules = {
  hardware(settings) {
    const { instanceCount, instanceType } = settingsOf('sagemaker', settings);
    return `${instanceCount} × ${instanceType}`;
  },
  onHardwareOf: (settings, before) => ({
    ...settings,
    instanceType: settingsOf('sagemaker', before).instanceType,
  }),
  logPlace: ({ jobName }) =>
    `Its log is in the log group /aws/sagemaker/TransformJobs, in the streams that begin with ${jobName}/`,
  hasFailedItself: ({ failureReason }) => failureReason?.startsWith('InternalServerError') === true,
};

const ENGINE_RULES: Readonly<Record<EngineName, EngineRules>> = { sagemaker };

/** The rules of the engine that carries out a job. */
export function engineRules({ name }: { readonly name: EngineName }): EngineRules {
  return ENGINE_RULES[name];
}
