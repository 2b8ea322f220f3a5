import { batchImage } from '../../model/instance-families.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { usdPerBundle } from '../../price/lambda-price.ts';
import {
  costUsd,
  inputsPerSecond,
  objectsWithin,
  quoteSeconds,
  STARTUP_SECONDS,
  type Work,
} from '../../price/quote.ts';
import { USD_PER_WRITE } from '../../price/request-prices.ts';
import { roundUsd } from '../../price/round-usd.ts';
import { unlessOn } from '../../problem/unless-on.ts';
import { day } from '../../text/dates.ts';
import { short } from '../../text/figures.ts';
import { inputsOfBundle, largestBundleBytes, largestBundled } from '../../transform/bundle-cutter.ts';
import { type EngineSettings, type SettingsOf, settingsOf } from '../../transform/engine-settings.ts';
import type { MeasuredSpeed } from '../../transform/measured-speed.ts';
import {
  containerLimits,
  largestAllowedBytes,
  largestLineBytes,
  type Payload,
  resolvePayload,
} from '../../transform/payload.ts';
import { requestsAtOnce } from '../../transform/request-limits.ts';
import { resolveImages } from '../judge/resolve-images.ts';
import type { Plan } from '../plan.ts';
import { type ResolvedPrices, resolvePrices } from '../quote/resolve-cost.ts';
import type { EnginePlanning, PlannedWork } from './engine-planning.ts';
import { sendingOf } from './sending-of.ts';

/** Longest quote of a job, two hours, since a stopped job's outputs are lost. */
const MAX_JOB_SECONDS = 7_200;
/** The one state that a bundle passes in the map BundleInputs. */
const BUNDLE_STATES = 1;

/** Planning for SageMaker batch transform. */
export const sagemakerPlanning: EnginePlanning = {
  liveCheck: 'stack-run',
  judge({ config, region, prices: override, wrong }) {
    const { imageUri, problems } = resolveImages(config, region);
    const asked = {
      types: config.transform.instanceTypes,
      field: 'transform.instanceTypes',
      bounds: [
        { field: 'limits.maxCostUsd', usd: config.limits.maxCostUsd },
        { field: 'limits.maxCostUsdPerDay', usd: config.limits.maxCostUsdPerDay },
      ],
    };
    const prices = resolvePrices(asked, region, override);
    return {
      imageUri,
      prices,
      problems: [
        ...unlessOn(['model', 'transform.instanceTypes'], wrong, problems),
        ...unlessOn(['limits'], wrong, prices.problems),
      ],
    };
  },
  archiveProblems: () => [],
  jobSettings({ transform }, largestBytes, speeds, bundle = null) {
    const { instanceCount } = transform;
    const instanceType = firstType(transform);
    const { notes, ...payload } = payloadOf(transform, bundle, largestBytes);
    const settings = {
      name: 'sagemaker',
      instanceType,
      instanceCount,
      ...payload,
      ...(bundle !== null && { bundle }),
    } as const;
    const speed = speedFor(speeds, settings, bundle !== null);
    if (speed === undefined) return { settings, notes };
    const { inputsPerSecond, startupSeconds, run, at } = speed;
    const measured =
      `the quote is by ${short(inputsPerSecond, 3)} inputs a second on each ${settings.instanceType}, measured by ` +
      `${run} on ${day(at)}`;
    return {
      settings: { ...settings, measured: { inputsPerSecond, startupSeconds } },
      notes: [...notes, measured],
    };
  },
  sending: (config, work, _speeds, refused) => sendingOf(config, work, refused),
  speed(settings) {
    const own = settingsOf('sagemaker', settings);
    return inputsPerSecond(own) * own.instanceCount;
  },
  withSpeed(settings, speed) {
    const { instanceCount, measured } = settingsOf('sagemaker', settings);
    const { startupSeconds = STARTUP_SECONDS } = measured ?? {};
    return { ...settings, measured: { inputsPerSecond: speed / instanceCount, startupSeconds } };
  },
  gainsApart({ transform }, usualBytes, largestBytes, bundle = null) {
    const together = payloadOf(transform, bundle, largestBytes);
    const apart = payloadOf(transform, bundle, usualBytes);
    return apart.maxConcurrentTransforms > together.maxConcurrentTransforms;
  },
  largestAllowedBytes({ transform }, bundle = null) {
    if (bundle?.form === 'lines') return largestLineBytes(transform);
    const bytes = largestAllowedBytes(cutting(transform, bundle));
    return bytes === null || bundle === null ? bytes : largestBundled(bundle.form, bytes);
  },
  quoteSeconds: (work, settings) => quoteSeconds(toWork(work, settings)),
  objectsOfJob: (work, settings) => objectsWithin(MAX_JOB_SECONDS, toWork(work, settings)),
  objectsOfRound: (work, settings) => objectsWithin(2 * STARTUP_SECONDS, toWork(work, settings)),
  quoteUsd({ pricesUsd }, jobs) {
    // The types after the first are tried where it cannot be had: all jobs are quoted for the same one.
    const [first] = jobs;
    if (first === undefined) return 0;
    const { instanceType, instanceCount } = settingsOf('sagemaker', first.engine);
    const usdPerHour = pricesUsd[instanceType] ?? null;
    const seconds = jobs.reduce((sum, job) => sum + job.quotedSeconds, 0);
    if (usdPerHour === null) return null;
    const usd = jobs.reduce(
      (sum, job) => sum + bundlingUsd(job),
      costUsd(seconds, instanceCount, usdPerHour),
    );
    return roundUsd(usd);
  },
  hourlyUsd({ transform }, prices) {
    const usdPerHour = hourly(transform, prices);
    return usdPerHour === null ? null : roundUsd(usdPerHour * transform.instanceCount);
  },
  plan({ model, transform }, jobs) {
    const settings = jobs.map(({ engine }) => settingsOf('sagemaker', engine));
    const maxPayloadInMB = Math.max(...settings.map((job) => job.maxPayloadInMB));
    return {
      name: 'sagemaker',
      // A type that was tried is not tried again: the next one is found by the name of the last.
      instanceTypes: [...new Set(transform.instanceTypes)],
      instanceCount: transform.instanceCount,
      amiVersion: transform.amiVersion ?? batchImage(transform.instanceTypes),
      maxConcurrentTransforms: settings[0]?.maxConcurrentTransforms ?? 1,
      maxPayloadInMB,
      invocationsTimeoutInSeconds: transform.invocationsTimeoutInSeconds,
      invocationsMaxRetries: transform.invocationsMaxRetries,
      environment: containerLimits({ ...model, ...transform, maxPayloadInMB }, model.environment),
    };
  },
};

/** The payload of a job by its largest input, which others may be sent with. */
function payloadOf(
  transform: PipelineConfig['transform'],
  bundle: Plan['bundle'],
  largestBytes: number,
): Payload {
  const isAlone = bundle === null || bundle.form === 'lines';
  const largestRequest = isAlone ? largestBytes : largestBundleBytes(bundle, largestBytes);
  const atOnce = bundle === null ? undefined : requestsAtOnce(firstType(transform));
  return resolvePayload(cutting(transform, bundle), largestRequest, atOnce);
}

/**
 * How SageMaker cuts the objects of a job: only objects of lines, not the records of opened files that are sent one by one or in a
 * request.
 */
function cutting(
  transform: PipelineConfig['transform'],
  bundle: Plan['bundle'],
): PipelineConfig['transform'] {
  if (bundle?.form === 'lines') return { ...transform, splitType: 'Line' };
  return transform.splitType === 'Line' ? { ...transform, splitType: 'None' } : transform;
}

/**
 * Price of making the bundles of a job: a write, an invocation and transitions for each. Inputs are read once in any case,
 * which no quote counts.
 */
function bundlingUsd({ engine, ...work }: PlannedWork & { readonly engine: EngineSettings }): number {
  const { inputsPerRequest } = toWork(work, engine);
  if (inputsPerRequest === undefined) return 0;
  const bundles = Math.ceil(work.objects / inputsPerRequest);
  return bundles * (USD_PER_WRITE + usdPerBundle(BUNDLE_STATES));
}

function firstType({ instanceTypes }: PipelineConfig['transform']): string {
  return instanceTypes[0] ?? '';
}

function hourly(transform: PipelineConfig['transform'], { pricesUsd }: ResolvedPrices): number | null {
  return pricesUsd[firstType(transform)] ?? null;
}

function toWork(work: PlannedWork, settings: EngineSettings): Work {
  const own = settingsOf('sagemaker', settings);
  const { instanceCount, maxConcurrentTransforms, measured, bundle } = own;
  const usualBytes = work.bytes / Math.max(1, work.objects);
  const inputsPerRequest = bundle && inputsOfBundle(bundle, usualBytes);
  return { ...work, instanceCount, maxConcurrentTransforms, inputsPerRequest, measured };
}

/** Measurement on the same instance with the most requests at once that are no more than asked for; more are no slower. */
function speedFor(
  speeds: readonly MeasuredSpeed[],
  { instanceType, maxConcurrentTransforms: most }: SettingsOf<'sagemaker'>,
  isBundled: boolean,
): MeasuredSpeed | undefined {
  const requests = ({ engine, bundled }: MeasuredSpeed): number =>
    engine.name === 'sagemaker' && engine.instanceType === instanceType && bundled === isBundled
      ? engine.maxConcurrentTransforms
      : Infinity;
  return speeds
    .filter((speed) => requests(speed) <= most)
    .toSorted((a, b) => requests(b) - requests(a))
    .at(0);
}
