import type { Trial } from '../../drop/frozen.ts';
import { tighter } from '../../pipeline/limit-settings.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import type { Configuration } from '../judge/judge-configuration.ts';

/** Minutes that a trial may take, in which it also waits for an instance. */
const MAX_MINUTES = 60;

/**
 * The configuration of a run that a probe measures: a sample on other settings, judged by no gate, compared with no run
 * and deployed nowhere. The configuration itself if the run is no trial.
 */
export function forTrial(configuration: Configuration, trial: Trial | undefined): Configuration {
  const { config } = configuration;
  if (trial === undefined || config === undefined) return configuration;
  const { limits } = config;
  return {
    ...configuration,
    sampleFile: 'probe',
    config: {
      ...config,
      transform: tried(config.transform, trial.transform),
      report: { ...config.report, baseline: null },
      gate: null,
      endpoint: { ...config.endpoint, deploy: 'never' },
      sample: { inputs: trial.inputs, by: 'none' },
      limits: {
        ...limits,
        pilot: 0,
        maxCostUsd: tighter(limits.maxCostUsd, trial.maxCostUsd),
        maxRuntimeMinutes: Math.min(limits.maxRuntimeMinutes, MAX_MINUTES),
      },
    },
  };
}

/** The settings of a pipeline with a trial's settings, on one instance, even if a run itself would choose its engine. */
export function tried(
  own: PipelineConfig['transform'],
  { maxPayloadInMB, ...settings }: Trial['transform'],
): PipelineConfig['transform'] {
  return {
    ...own,
    ...settings,
    engine: 'sagemaker',
    maxPayloadInMB: maxPayloadInMB ?? own.maxPayloadInMB,
    instanceCount: 1,
  };
}
