import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { truthByFolder } from '../../label/truth-in-key.ts';
import type { JudgedConfiguration } from '../../plan/judge-configuration.ts';
import type { Findings } from '../../plan/judge-findings.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Problem } from '../../problem/problem.ts';
import { RunParts } from '../../run/run-id.ts';
import { copySample, takeAllInputs } from '../records/inputs.ts';
import type { TruthCheck } from './check-truth.ts';
import { drawFirstRound } from './draw-first-round.ts';
import { drawSample } from './draw-sample.ts';

/**
 * Decides which of its manifest a fresh run predicts: a sample where one is asked for and the drop has more, the first round
 * where its gate is decided early, else all.
 */
export async function takeSample(
  store: ObjectStore,
  run: RunParts,
  {
    configuration,
    frozen,
    isWhole,
  }: {
    readonly configuration: JudgedConfiguration;
    readonly frozen: Frozen;
    /** Whether all inputs are needed, whatever the gate. */
    readonly isWhole: boolean;
  },
  truth: Pick<TruthCheck, 'inOrder'>,
): Promise<Findings['sampled']> {
  const { config, sampleFile: file } = configuration;
  const { sample } = config;
  if (config.gate?.decide === 'early' && !isWhole) {
    const first = await drawFirstRound(store, run, { ...configuration, frozen });
    if (first === null) await takeAllInputs(store, run);
    return { ...(first ?? { sample: null }), problems: [] };
  }
  const strata =
    sample?.by === 'class'
      ? truth.inOrder
      : (): ((name: string) => string | undefined) => truthByFolder(frozen.sourcePrefix);
  if (sample?.by === 'class' && strata === undefined && config.labels.truth?.from === 'key')
    return { sample: null, problems: [slowPattern(file)] };
  // Without labels to draw by the run is refused for these.
  const drawn =
    sample === null || strata === undefined
      ? null
      : await drawSample(store, run, { ...sample, file, frozen, strata });
  if (drawn === null) await takeAllInputs(store, run);
  return drawn !== null && 'message' in drawn
    ? { sample: null, problems: [drawn] }
    : { sample: drawn, problems: [] };
}

function slowPattern(file: string): Problem {
  const message =
    'must be "folder" or "none" where the pattern of labels.truth is one that only RE2 reads, which takes up to milliseconds a key: use another sample.by, or a plainer pattern';
  return { file, field: 'sample.by', value: 'class', message };
}

/** Has a run predict what another run of its manifest predicts. */
export async function takeSampleOf(
  store: ObjectStore,
  run: RunParts,
  original: Pick<Plan, 'run' | 'sample'>,
): Promise<Findings['sampled']> {
  await copySample(store, run, RunParts.parse(original.run));
  return { sample: original.sample, problems: [] };
}
