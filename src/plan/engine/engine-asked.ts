import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { EngineName } from '../../transform/engine-settings.ts';
import { type SendLimits, sendLimits } from '../../transform/exclusion.ts';
import { BUNDLE_TYPES } from '../../transform/request-limits.ts';
import type { Asked, OpenedInputs } from '../found.ts';
import { judgeConfiguration, type JudgedConfiguration } from '../judge/judge-configuration.ts';
import { forEngine } from './engine-config.ts';
import { planningOf } from './engine-of.ts';
import type { EnginePlanning, PlannedWork, Sending } from './engine-planning.ts';
import type { Bundling } from './first-bundle.ts';

/** The work that one engine would carry out, as far as the configuration says. */
export interface EngineAsked {
  readonly name: EngineName;
  readonly planning: EnginePlanning;
  readonly configuration: JudgedConfiguration;
  readonly sending: Sending & { readonly notes: readonly string[] };
  /** Whether its jobs are sent bundles, which a handler of inferdrop's opens. */
  readonly isBundled: boolean;
  /** Digests under which is kept whether the archive answers bundles, if the run's first one is to show it. */
  readonly firstBundle: Pick<Bundling, 'archive' | 'way'> | null;
  /** The settings that decide which inputs are sent. */
  readonly limits: SendLimits;
}

/** A pure function of its input: reading and judging both call it. `work` is the number of inputs before a sample is drawn. */
export function engineAsked(
  { run, configuration: read, settings, original, frozen, bundling }: Asked,
  name: EngineName,
  { work }: Pick<OpenedInputs, 'work'>,
): EngineAsked {
  const config = forEngine(read.config, name, settings);
  const configuration = judgeConfiguration({ ...read, config }, settings.region);
  const planning = planningOf(name);
  const sending =
    original === null
      ? sendingFor(planning, configuration, {
          isCandidate: frozen.candidate !== undefined,
          work: work ?? frozen,
          refused: typeof bundling?.answers === 'object' ? bundling.answers.why : undefined,
        })
      : { outputs: original.plan.outputs, bundle: original.plan.bundle, notes: [] };
  const isBundled = sending.bundle !== null && BUNDLE_TYPES[sending.bundle.form] !== undefined;
  const mapping = { inputPrefix: frozen.sourcePrefix, outputPrefix: bucketLayout.predictions(run) };
  const largest = planning.largestAllowedBytes(configuration.config, sending.bundle);
  const limits = sendLimits(sending.outputs, mapping, largest);
  const firstBundle = isBundled && bundling?.answers === 'unknown' ? bundling : null;
  return { name, planning, configuration, sending, isBundled, firstBundle, limits };
}

function sendingFor(
  planning: EnginePlanning,
  { config, speeds }: JudgedConfiguration,
  {
    isCandidate,
    work,
    refused,
  }: {
    readonly isCandidate: boolean;
    readonly work: PlannedWork;
    readonly refused: string | undefined;
  },
): EngineAsked['sending'] {
  const transform: PipelineConfig['transform'] = {
    ...config.transform,
    ...(isCandidate && { bundle: 'never' as const }),
  };
  const sending = planning.sending({ ...config, transform }, work, speeds, refused);
  // How they are sent is nothing that a training could change.
  return isCandidate ? { ...sending, notes: [] } : sending;
}

/** The bundles in which an engine would be sent enough small members, which are made of tars and tables as they lie. */
export function bundleOfMany(asked: Asked, name: EngineName): Sending['bundle'] {
  return engineAsked(asked, name, { work: { objects: 1_000_000, bytes: 1_000_000 } }).sending.bundle;
}
