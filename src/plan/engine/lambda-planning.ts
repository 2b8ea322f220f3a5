import { FRAMEWORKS, inFunctions } from '../../frameworks/frameworks.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import { resolveMemoryPrice, usdPerBundle } from '../../price/lambda-price.ts';
import type { PriceOverride } from '../../price/price-override.ts';
import { BYTES_PER_SECOND, SECONDS_PER_OBJECT } from '../../price/quote.ts';
import { roundUsd } from '../../price/round-usd.ts';
import type { Problem } from '../../problem/problem.ts';
import { unlessOn } from '../../problem/unless-on.ts';
import { day } from '../../text/dates.ts';
import { short } from '../../text/figures.ts';
import { type EngineSettings, type SettingsOf, settingsOf } from '../../transform/engine-settings.ts';
import type { MeasuredSpeed } from '../../transform/measured-speed.ts';
import { opensFiles } from '../../transform/one-record.ts';
import { functionMemoryMB, MEMORY_HOUR } from '../../transform/predict-function.ts';
import { resolveImages } from '../judge/resolve-images.ts';
import type { ResolvedPrices } from '../quote/resolve-cost.ts';
import type { EnginePlanning, PlannedWork } from './engine-planning.ts';

/** Time until a function that starts answers its first input: it loads its code and the model. */
const START_SECONDS = 5;
/** Seconds that the inputs of a bundle may take by the measured speed: two of the function's five minutes. */
const MOST_BUNDLE_SECONDS = 120;
const MOST_INPUTS = 1_000;
/** Fewer would be paid for their starts. */
const FEWEST_INPUTS = 32;
/** A hundred seconds of reading. */
const MOST_BUNDLE_BYTES = 5_000_000_000;
/** An input and its answer lie in the function's memory, as SageMaker's requests do in its container's. */
const MOST_INPUT_BYTES = 100_000_000;
/** States that a bundle passes, of statemachines/predict-shards.asl.yml. */
const SHARD_STATES = 3;

/** The other way out if a function can't run something. */
export const OR_SAGEMAKER = 'or set transform.engine to "sagemaker"';

/** Planning for functions of AWS Lambda, which answer bundles of inputs in processes of their own. */
export const lambdaPlanning: EnginePlanning = {
  liveCheck: 'lambda-run',
  judge({ config, region, prices: override, wrong }) {
    const { imageUri, problems } = resolveImages(config, region);
    const prices = pricesOf(config, region, override);
    return {
      imageUri,
      prices,
      problems: [
        ...unlessOn(['model', 'transform.instanceTypes'], wrong, problems),
        ...unlessOn(['limits'], wrong, prices.problems),
        ...unlessOn(['model', 'transform'], wrong, settingProblems(config)),
      ],
    };
  },
  archiveProblems: (reasons) =>
    reasons.map((reason) => ({
      message: `${reason}, ${OR_SAGEMAKER} in pipeline.json`,
      reason,
    })),
  jobSettings({ transform }, _largestBytes, speeds) {
    const settings = settingsFor(transform, speeds);
    const speed = speedFor(transform, speeds);
    const note =
      speed === undefined
        ? `the quote assumes ${SECONDS_PER_OBJECT} s an input: no earlier run of this pipeline shows the speed of its functions`
        : `the quote is by ${short(speed.inputsPerSecond, 3)} inputs a second of each function, measured by ` +
          `${speed.run} on ${day(speed.at)}`;
    return { settings, notes: [note] };
  },
  sending: ({ transform }, { objects }, speeds) => ({
    outputs: 'bundles',
    bundle: {
      form: 'list',
      inputs: inputsOfBundle(objects, settingsFor(transform, speeds)),
      bytes: MOST_BUNDLE_BYTES,
    },
    notes: [],
  }),
  gainsApart: () => false,
  largestAllowedBytes: () => MOST_INPUT_BYTES,
  speed(settings) {
    const own = settingsOf('lambda', settings);
    return own.maxConcurrency * speedOf(own);
  },
  withSpeed(settings, inputsPerSecond) {
    const own = settingsOf('lambda', settings);
    const measured = {
      inputsPerSecond: inputsPerSecond / own.maxConcurrency,
      startupSeconds: START_SECONDS,
    };
    return { ...own, measured };
  },
  quoteSeconds: (work, settings) =>
    Math.ceil(START_SECONDS + workSeconds(work, settings) / lanesOf(work.objects, settings)),
  // A stopped job leaves the answers of the bundles that have ended.
  objectsOfJob: () => Infinity,
  objectsOfRound: (_work, settings) =>
    Math.ceil((settingsOf('lambda', settings).maxConcurrency * START_SECONDS) / SECONDS_PER_OBJECT),
  quoteUsd({ pricesUsd }, jobs) {
    const price = pricesUsd[MEMORY_HOUR] ?? null;
    return price === null ? null : roundUsd(jobs.reduce((sum, job) => sum + jobUsd(job, price), 0));
  },
  hourlyUsd({ transform }, { pricesUsd }) {
    const price = pricesUsd[MEMORY_HOUR] ?? null;
    const settings = settingsFor(transform);
    return price === null ? null : roundUsd(settings.maxConcurrency * gigabytesOf(settings) * price);
  },
  plan: ({ transform }) => settingsFor(transform),
};

/** Settings of a job, as `forEngine` has them for the stack, with measurements from such jobs. */
function settingsFor(
  transform: PipelineConfig['transform'],
  speeds: readonly MeasuredSpeed[] = [],
): SettingsOf<'lambda'> {
  const speed = speedFor(transform, speeds);
  return {
    name: 'lambda',
    memoryMB: functionMemoryMB(transform),
    maxConcurrency: transform.maxConcurrency ?? 1,
    ...(speed && { measured: { inputsPerSecond: speed.inputsPerSecond, startupSeconds: START_SECONDS } }),
  };
}

function speedFor(
  transform: PipelineConfig['transform'],
  speeds: readonly MeasuredSpeed[],
): MeasuredSpeed | undefined {
  const memoryMB = functionMemoryMB(transform);
  return speeds.findLast(({ engine }) => engine.name === 'lambda' && engine.memoryMB === memoryMB);
}

/** Size of a bundle: as many bundles as functions if the inputs are few, and small enough to finish in time if they're many or slow. */
function inputsOfBundle(objects: number, settings: SettingsOf<'lambda'>): number {
  const inTime = Math.max(1, Math.floor(MOST_BUNDLE_SECONDS * speedOf(settings)));
  const each = Math.max(FEWEST_INPUTS, Math.ceil(objects / settings.maxConcurrency));
  return Math.min(MOST_INPUTS, inTime, each);
}

function speedOf({ measured }: SettingsOf<'lambda'>): number {
  return measured?.inputsPerSecond ?? 1 / SECONDS_PER_OBJECT;
}

function workSeconds({ objects, bytes }: PlannedWork, settings: EngineSettings): number {
  return objects / speedOf(settingsOf('lambda', settings)) + bytes / BYTES_PER_SECOND;
}

function lanesOf(objects: number, settings: EngineSettings): number {
  const own = settingsOf('lambda', settings);
  return Math.min(own.maxConcurrency, Math.max(1, Math.ceil(objects / inputsOfBundle(objects, own))));
}

/** Every function that starts, the time at work, and each bundle's requests. */
function jobUsd(job: PlannedWork & { readonly engine: EngineSettings }, usdPerGbHour: number): number {
  const settings = settingsOf('lambda', job.engine);
  const bundles = Math.ceil(job.objects / inputsOfBundle(job.objects, settings));
  const seconds = workSeconds(job, settings) + START_SECONDS * lanesOf(job.objects, settings);
  return (seconds * gigabytesOf(settings) * usdPerGbHour) / 3600 + bundles * usdPerBundle(SHARD_STATES);
}

function gigabytesOf({ memoryMB }: { readonly memoryMB: number }): number {
  return memoryMB / 1024;
}

function pricesOf(
  { limits }: PipelineConfig,
  region: string,
  override: PriceOverride | undefined,
): ResolvedPrices {
  const { usdPerGbHour, source, date } = resolveMemoryPrice(region, override);
  const found = { pricesUsd: { [MEMORY_HOUR]: usdPerGbHour }, source, date };
  if (usdPerGbHour !== null) return { ...found, notes: [], problems: [] };
  const missing = `the price of Lambda in ${region} is not in the table of ${date}`;
  const [bound] = (['maxCostUsd', 'maxCostUsdPerDay'] as const).filter((name) => limits[name] !== null);
  if (bound === undefined)
    return { ...found, notes: [`${missing}: the cost of this run is not known`], problems: [] };
  const message =
    `cannot be held within limits.${bound} ${limits[bound]}: ${missing}. ` +
    'Add "lambdaUsdPerGbSecond" to pipelines/prices.json, or set limits.maxCostUsd and limits.maxCostUsdPerDay to null';
  return {
    ...found,
    notes: [],
    problems: [{ file: 'pipeline.json', field: 'transform.engine', value: 'lambda', message }],
  };
}

/** Settings that need SageMaker: its containers, and its cutting of files into records. */
function settingProblems({ model, transform, columns }: PipelineConfig): Problem[] {
  const problems: Problem[] = [];
  const { inFunctions: functions } = FRAMEWORKS[model.framework];
  const refuse = (field: string, value: unknown, reason: string): void =>
    void problems.push({
      file: 'pipeline.json',
      field,
      value: toShownValue(value),
      message: `${reason}, ${OR_SAGEMAKER}`,
      reason,
    });
  if (model.image !== null)
    refuse(
      'model.image',
      model.image,
      `must be null with transform.engine "lambda", which starts no container: leave it out`,
    );
  else if ('remedy' in functions)
    refuse(
      'model.framework',
      model.framework,
      `must be ${inFunctions('or')} with transform.engine "lambda": ${functions.remedy}`,
    );
  for (const [field, only] of [
    ['splitType', 'None'],
    ['batchStrategy', 'SingleRecord'],
    ['assembleWith', 'None'],
  ] as const)
    if (!opensFiles({ ...transform, columns }) && transform[field] !== only)
      refuse(
        `transform.${field}`,
        transform[field],
        `must be ${JSON.stringify(only)} with transform.engine "lambda", which sends each input whole: leave it out`,
      );
  return problems;
}
