import { objectsWithin, quoteSeconds } from '../../src/price/quote.ts';
import { pilotSize } from '../../src/transform/pilot.ts';
import { splitJobs } from '../../src/transform/split-jobs.ts';
import { limitsOf } from './scale/function.ts';

/** A drop and what it meets; everything on docs/scale.md follows from it. */
export interface Scenario {
  readonly inputs: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** Files a second that the uploader reaches; S3 takes 3,500 PUTs a second below one new prefix. */
  readonly uploadsPerSecond: number;
  readonly instanceType: string;
  readonly instances: number;
  readonly usdPerInstanceHour: number;
  /** Rate of one instance. */
  readonly inputsPerSecond: number;
  /** Bytes that the container logs for each request, with what CloudWatch adds to a line. */
  readonly logBytes: number;
  /** Stack parameters. */
  readonly incomingRetentionDays: number;
  readonly runsRetentionDays: number;
  readonly noncurrentRetentionDays: number;
  readonly foldConcurrency: number;
}

export const TEN_MILLION: Scenario = {
  inputs: 10_000_000,
  inputBytes: 100_000,
  outputBytes: 23_000,
  uploadsPerSecond: 3_500,
  instanceType: 'ml.g4dn.xlarge',
  instances: 10,
  usdPerInstanceHour: 0.7364,
  inputsPerSecond: 400,
  logBytes: 140,
  incomingRetentionDays: 90,
  runsRetentionDays: 365,
  noncurrentRetentionDays: 30,
  foldConcurrency: 16,
};

/** Bytes that TorchServe logs for each request by default: about eight lines of accesses and metrics. */
export const TORCHSERVE_LOG_BYTES = 1_168;

/** US dollars in us-east-1, without free tiers, as the services’ price pages have had them since 2021; look again before a decision. */
const USD = {
  s3Write: 0.005 / 1_000, // PUT, COPY, POST, LIST
  s3Read: 0.0004 / 1_000, // GET and all others
  s3GbMonth: 0.023,
  event: 1 / 1e6, // events of AWS services that are switched on, S3's among them
  sqs: 0.4 / 1e6,
  lambdaCall: 0.2 / 1e6,
  lambdaGbSecond: 0.0000133334, // arm64
  transition: 0.025 / 1_000,
  logGb: 0.5,
  logGbMonth: 0.03,
} as const;

/** Constants of the code: what it does, in numbers. */
const LIST_PAGE = 1_000;
const LIST_PAGE_SECONDS = 0.1;
/** Events in one batch of accept-drop: what SQS hands over in its window of a second. */
const EVENTS_A_BATCH = 100;
const WRITES_A_BATCH = 2;
const READS_A_BATCH = 3;
const SLICE_INPUTS = 50_000;
const MANIFEST_LINE_BYTES = 160;
const RECONCILED_LINE_BYTES = 250;
const PART_BYTES = 8 * 2 ** 20;
const CHUNK_INPUTS = 10_000;
/** A chunk of 10,000 begins a listing of its own, of inputs and of outputs. */
const LISTS_A_CHUNK = 22;
export const SHARD_INPUTS = 5_000;
/** Plan, lines, index and parts of the labels. */
const READS_A_SHARD = 15;
/** Tally, rows and mistakes. */
const WRITES_A_SHARD = 3;
/** Share of the inputs that are mistakes, and the bytes of a line about one with its five best scores. */
const MISTAKES = 0.1;
const MISTAKE_LINE_BYTES = 350;
/** Outputs that are read again at most, where five scores do not tell whether a label is suspect. */
const OUTPUTS_READ_AGAIN = 20_000;
/** Images of the page: 24 mistakes, 24 suspect labels, and those of 300 cells' records. */
const PAGE_IMAGES = 24 + 24 + 300;
const READ_SECONDS = 0.025;
const READS_IN_FLIGHT = 128;
const TALLY_BYTES = 600_000;
const ROWS_BYTES = 120_000;
const JOB_START_SECONDS = 240;
const MAX_JOB_SECONDS = 7_200;
const MAX_REQUESTS = 64;
const LOOKS_A_HOUR = 60;
const HEADS_A_LOOK = 200;
/** Wait, look and choice; what starts and judges a job; everything before and after the jobs. */
const TRANSITIONS_A_LOOK = 3;
const TRANSITIONS_A_JOB = 6;
const TRANSITIONS_A_RUN = 30;
const MONTH_DAYS = 30.4;

/**
 * CPU seconds and peak memory of the heavy steps in one run of `npm run lab -- scale 10000000 8` (2026-11-22, two busy cores): all calls
 * of a function, for fold-predictions the longest of the eight shards that were folded; copies of their tallies stood for the others'.
 */
export const MEASURED = {
  'settle-drop': { cpuSeconds: 171.9, peakMiB: 374, basis: '10,000,000 inputs' },
  'plan-run': { cpuSeconds: 112.1, peakMiB: 707, basis: '10,000,000 inputs and labels' },
  'reconcile-outputs': { cpuSeconds: 341.9, peakMiB: 442, basis: '10,000,000 inputs, 21 jobs' },
  'fold-predictions': { cpuSeconds: 4.4, peakMiB: 276, basis: 'one shard of 5,000, 10 classes' },
  'write-report': { cpuSeconds: 2.3, peakMiB: 189, basis: '2,000 tallies, 10 classes' },
} as const;

/** One line of the bill. */
export interface Item {
  readonly step: string;
  readonly what: string;
  readonly count: number;
  readonly usd: number;
}

/** Every request, event, message, transition and gigabyte of a run. */
export function billOf(scenario: Scenario): readonly Item[] {
  const { inputs: n } = scenario;
  const items: Item[] = [];
  const add = (step: string, what: string, count: number, usd: number): void => {
    items.push({ step, what, count: Math.ceil(count), usd: count * usd });
  };
  const lambda = (step: string, name: string, calls: number, seconds: number): void => {
    const gigabytes = limitsOf(name).memoryMiB / 1_024;
    add(step, `calls of ${name}`, calls, USD.lambdaCall);
    add(step, `GB-seconds of ${name}`, seconds * gigabytes, USD.lambdaGbSecond);
  };
  const parts = (bytes: number): number => Math.ceil(bytes / PART_BYTES);
  const batches = n / EVENTS_A_BATCH;
  const shards = Math.ceil(n / SHARD_INPUTS);
  const jobs = jobsOf(scenario);
  const { seconds } = timesOf(scenario);

  add('upload', 'PUTs of inputs', n, USD.s3Write);
  add('upload', 'events of inputs', n, USD.event);
  add('upload', 'messages sent to the queue', n, USD.sqs);
  add('upload', 'receives and deletes of ten messages', (2 * n) / 10, USD.sqs);
  lambda('upload', 'accept-drop', batches, batches * 0.1);
  add('upload', 'PUTs and LISTs of accept-drop', batches * WRITES_A_BATCH, USD.s3Write);
  add('upload', 'GETs and HEADs of accept-drop', batches * READS_A_BATCH, USD.s3Read);

  const slices = n / SLICE_INPUTS;
  add('manifest', 'LISTs of inputs', n / LIST_PAGE, USD.s3Write);
  add('manifest', 'PUTs of slices and progress', 3 * slices, USD.s3Write);
  add('manifest', 'parts that S3 joins to the manifest', slices, USD.s3Write);
  lambda('manifest', 'settle-drop', seconds.manifest / 240, seconds.manifest);

  add('plan', 'PUTs of job inputs and labels', parts(n * 30) + parts(n * 80), USD.s3Write);
  lambda('plan', 'plan-run', 1, seconds.plan);

  const looks = (seconds.transform / 3_600) * LOOKS_A_HOUR;
  add('transform', 'GETs of inputs by SageMaker', n, USD.s3Read);
  add('transform', 'PUTs of outputs by SageMaker', n, USD.s3Write);
  add('transform', 'events of outputs', n, USD.event);
  add('transform', 'HEADs of check-transform', looks * HEADS_A_LOOK, USD.s3Read);
  const hours = (n / scenario.inputsPerSecond + jobs * JOB_START_SECONDS * scenario.instances) / 3_600;
  add('transform', `hours of ${scenario.instanceType}`, hours, scenario.usdPerInstanceHour);
  const transitions = looks * TRANSITIONS_A_LOOK + jobs * TRANSITIONS_A_JOB + TRANSITIONS_A_RUN;
  add('transform', 'transitions of the state machine', transitions, USD.transition);
  add('transform', 'GB of the container’s log', (n * scenario.logBytes) / 1e9, USD.logGb);

  const pieces = parts(n * RECONCILED_LINE_BYTES);
  add('reconcile', 'LISTs of inputs and outputs', (n / CHUNK_INPUTS) * LISTS_A_CHUNK, USD.s3Write);
  add('reconcile', 'PUTs of slices and progress, and their join', 3 * pieces, USD.s3Write);
  lambda('reconcile', 'reconcile-outputs', seconds.reconcile / 600, seconds.reconcile);

  add('fold', 'GETs of outputs', n, USD.s3Read);
  add('fold', 'GETs of lines, plan and labels', shards * READS_A_SHARD, USD.s3Read);
  add('fold', 'PUTs of tallies, rows and mistakes', shards * WRITES_A_SHARD, USD.s3Write);
  add('fold', 'transitions of the Map’s children', shards * 3, USD.transition);
  lambda('fold', 'fold-predictions', shards, seconds.fold * scenario.foldConcurrency);

  add('report', 'GETs of tallies and mistakes', 2 * shards, USD.s3Read);
  add('report', 'GETs of outputs for suspect labels, at most', OUTPUTS_READ_AGAIN, USD.s3Read);
  add('report', 'GETs of images of the page', PAGE_IMAGES, USD.s3Read);
  lambda('report', 'write-report', 1, seconds.report);

  // The bucket has versions: an object that expires leaves a delete marker, and is deleted when its version expires.
  add('expiry', 'events of inputs that expire', 2 * n, USD.event);
  add('expiry', 'events of outputs that expire', 2 * n, USD.event);
  const gbMonths = (bytes: number, days: number): number =>
    (bytes / 1e9) * ((days + scenario.noncurrentRetentionDays) / MONTH_DAYS);
  const made =
    n * (2 * MANIFEST_LINE_BYTES + 2 * RECONCILED_LINE_BYTES + 110 + MISTAKES * MISTAKE_LINE_BYTES) +
    shards * (TALLY_BYTES + ROWS_BYTES);
  add(
    'storage',
    'GB-months of inputs',
    gbMonths(n * scenario.inputBytes, scenario.incomingRetentionDays),
    USD.s3GbMonth,
  );
  add(
    'storage',
    'GB-months of outputs',
    gbMonths(n * scenario.outputBytes, scenario.runsRetentionDays),
    USD.s3GbMonth,
  );
  // SageMaker makes its log groups without a retention.
  add(
    'storage',
    'GB-months of the container’s log, a year',
    ((n * scenario.logBytes) / 1e9) * 12,
    USD.logGbMonth,
  );
  add('storage', 'GB-months of all else', gbMonths(made, scenario.runsRetentionDays), USD.s3GbMonth);
  return items;
}

/** Reads of the inputs where `report.slices` asks what images show: their first 64 KiB, or all of them for brightness. */
export function imageSlicesUsd({ inputs }: Scenario): number {
  return inputs * USD.s3Read;
}

/** Wall-clock seconds of each step, one after the other. */
export function timesOf(scenario: Scenario) {
  const { inputs: n } = scenario;
  const share = n / TEN_MILLION.inputs;
  const reads = Math.min(READS_IN_FLIGHT, 48 * Math.ceil(n / SHARD_INPUTS));
  const jobs = jobsOf(scenario);
  const seconds = {
    upload: n / scenario.uploadsPerSecond,
    manifest: Math.max((n / LIST_PAGE) * LIST_PAGE_SECONDS, MEASURED['settle-drop'].cpuSeconds * share),
    plan: MEASURED['plan-run'].cpuSeconds * share,
    transform: n / (scenario.inputsPerSecond * scenario.instances) + jobs * JOB_START_SECONDS,
    reconcile: MEASURED['reconcile-outputs'].cpuSeconds * share,
    fold: (n * READ_SECONDS) / reads,
    report: Math.max(60 * share, MEASURED['write-report'].cpuSeconds * share),
  };
  return { seconds };
}

function jobsOf(scenario: Scenario): number {
  const { inputs } = scenario;
  const work = workOf(scenario);
  const pilot = pilotSize('auto', inputs, quoteSeconds(work));
  return Math.sign(pilot) + splitJobs(inputs - pilot, objectsWithin(MAX_JOB_SECONDS, work)).length;
}

/** Settings of pipeline.json that make the drop one run that ends by itself, also where the model is no faster than PlanRun quotes. */
export function settingsFor(scenario: Scenario): {
  maxWaitMinutes: number;
  maxRuntimeMinutes: number;
  maxCostUsd: number;
} {
  const { seconds } = timesOf(scenario);
  const startMinutes = (jobsOf(scenario) * JOB_START_SECONDS) / 60;
  const slowest = Math.max(quotedMinutes(scenario) + startMinutes, seconds.transform / 60);
  const maxRuntimeMinutes = roundUp((slowest + (2 * seconds.reconcile) / 60) * 1.25, 30);
  return {
    maxWaitMinutes: roundUp((seconds.upload / 60) * 1.25, 30),
    maxRuntimeMinutes,
    // The instances of the longest run that this allows.
    maxCostUsd: roundUp(instancesUsd(scenario, maxRuntimeMinutes), 10),
  };
}

/** Minutes that PlanRun quotes before anything is known of the model. */
export function quotedMinutes(scenario: Scenario): number {
  return quoteSeconds(workOf(scenario)) / 60;
}

/** Cost of all instances for the given minutes, in US dollars. */
export function instancesUsd({ instances, usdPerInstanceHour }: Scenario, minutes: number): number {
  return (minutes / 60) * instances * usdPerInstanceHour;
}

function workOf({ inputs, inputBytes, instances }: Scenario) {
  return {
    objects: inputs,
    bytes: inputs * inputBytes,
    instanceCount: instances,
    maxConcurrentTransforms: MAX_REQUESTS,
  };
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
