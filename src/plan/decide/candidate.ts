import type { Candidate } from '../../drop/frozen.ts';
import { tighter } from '../../pipeline/limit-settings.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { FoundBaseline } from '../found.ts';
import type { Configuration } from '../judge/judge-configuration.ts';

/**
 * The configuration of a run that judges a candidate: its archive instead of the pipeline's model, and the rest of the training's
 * cap. `bucket` is the application's own. Without a candidate, it's the configuration itself.
 */
export function forCandidate(
  configuration: Configuration,
  candidate: Candidate | undefined,
  bucket: string,
): Configuration {
  const { config } = configuration;
  if (candidate === undefined || config === undefined) return configuration;
  return {
    ...configuration,
    config: {
      ...config,
      model: { ...config.model, artifact: `s3://${bucket}/${bucketLayout.model(candidate.sha256)}` },
      // The baseline is resolved elsewhere; a bound on a loss only needs one to exist.
      report: { ...config.report, baseline: 'last-passed' },
      // What is served and promoted is judged by all of its files.
      gate: candidateGate(judgingAll(config.gate), candidate),
      sample: null,
      limits: { ...config.limits, maxCostUsd: tighter(config.limits.maxCostUsd, candidate.maxCostUsd) },
    },
  };
}

function judgingAll(gate: PipelineConfig['gate']): PipelineConfig['gate'] {
  return gate?.decide === 'early' ? { ...gate, decide: 'all' } : gate;
}

/** The loss of accuracy that a candidate may have: 0 would be a matter of chance between equal models, and can hardly be proven. */
const MARGIN = 0.01;

/**
 * The gate of a candidate: if the pipeline sets no bound itself, the candidate may lose one point against the model it is
 * compared with.
 */
function candidateGate(gate: PipelineConfig['gate'], { baseline }: Candidate): PipelineConfig['gate'] {
  if (baseline === null || gate?.maxAccuracyDrop !== undefined) return gate;
  return { ...gate, maxAccuracyDrop: MARGIN };
}

/** The run that a candidate is compared with. */
export function candidateBaseline({ sha256, training, baseline }: Candidate): FoundBaseline {
  const judged = `judges the model ${sha256.slice(0, 12)} of ${training}; nothing is deployed`;
  const compared =
    baseline === null
      ? 'the pipeline had no model to compare it with when that training was planned'
      : `it is compared with ${baseline}`;
  return {
    baseline: { asked: 'candidate', run: baseline },
    notes: [`${judged}; ${compared}`],
    problems: [],
  };
}
