import { PipelineConfig } from '../../src/pipeline/pipeline-config.ts';
import { forEngine } from '../../src/plan/engine/engine-config.ts';
import { planningOf } from '../../src/plan/engine/engine-of.ts';
import { priceTable } from '../../src/price/price-table.ts';
import { inputsOfLine } from '../../src/transform/bundle-cutter.ts';
import type { EngineName } from '../../src/transform/engine-settings.ts';
import { batchSize, PREDICT_MEMORY_MB } from '../../src/transform/predict-function.ts';
import { SHARD_BOUNDS } from '../../src/transform/shard-cutter.ts';
import { pilotSize, splitJobs } from '../../src/transform/split-jobs.ts';
import { Bill, type Item, USD } from './scale/bill.ts';
import { GFLOPS, MEASURED, type Network, PREDICTING } from './scale/measured.ts';

/**
 * The form of a drop: single objects that are sent one by one, single objects with `transform.bundle` "auto", or tars, with it too.
 * Engine lambda bundles all that it is sent.
 */
export type Form = 'objects' | 'bundles' | 'tars';

/** A drop and what it meets; everything on docs/scale.md follows from it. */
export interface Scenario {
  readonly engine: EngineName;
  readonly form: Form;
  readonly inputs: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly network: Network;
  /** Files a second that the uploader reaches; S3 takes 3,500 PUTs a second below one new prefix. */
  readonly uploadsPerSecond: number;
  readonly membersOfTar: number;
  readonly instanceType: string;
  readonly instances: number;
  /** Rate of one instance that is sent single inputs: assumed, at best and at worst. */
  readonly inputsPerSecond: number;
  readonly slowestPerSecond: number;
  /** Rate of a core of Lambda, in GFLOP/s. */
  readonly gflops: number;
  /** Bytes that the container logs for each request, including CloudWatch's own bytes for a line. */
  readonly logBytes: number;
  /** Stack parameters. */
  readonly incomingRetentionDays: number;
  readonly runsRetentionDays: number;
  readonly stagedRetentionDays: number;
  readonly noncurrentRetentionDays: number;
  readonly foldConcurrency: number;
  readonly predictConcurrency: number;
}

/** Ten million images of the size of CIFAR-10's, for a network of its size. */
export const SMALL: Scenario = {
  engine: 'sagemaker',
  form: 'objects',
  inputs: 10_000_000,
  inputBytes: 3_000,
  outputBytes: 300,
  network: 'cnn',
  uploadsPerSecond: 3_500,
  membersOfTar: 10_000,
  instanceType: 'ml.m5.xlarge',
  instances: 10,
  inputsPerSecond: 400,
  slowestPerSecond: 400,
  gflops: GFLOPS.fastest,
  logBytes: 140,
  incomingRetentionDays: 90,
  runsRetentionDays: 365,
  stagedRetentionDays: 15,
  noncurrentRetentionDays: 30,
  foldConcurrency: 16,
  predictConcurrency: 8,
};

/** Ten million photographs for a ResNet-50. */
export const PHOTOGRAPHS: Scenario = {
  ...SMALL,
  inputBytes: 100_000,
  outputBytes: 23_000,
  network: 'resnet50',
  instanceType: 'ml.g4dn.xlarge',
  // Four processors decode and resize for one GPU; at worst the rate that PlanRun assumes of a model it doesn't know.
  slowestPerSecond: 68,
  predictConcurrency: 200,
};

/** The same drop on the slowest processors that may meet it. */
export function slowest(scenario: Scenario): Scenario {
  return { ...scenario, inputsPerSecond: scenario.slowestPerSecond, gflops: GFLOPS.slowest };
}

/** Bytes that TorchServe logs for each request by default: about eight lines of accesses and metrics. */
export const TORCHSERVE_LOG_BYTES = 1_168;

/** Constants of the code: what it does, in numbers. */
const LIST_PAGE = 1_000;
const LIST_PAGE_SECONDS = 0.1;
/** Events in one batch of accept-drop: what SQS hands over in its window of a second. */
const EVENTS_A_BATCH = 100;
const READS_A_BATCH = 3;
const SLICE_INPUTS = 50_000;
const MANIFEST_LINE_BYTES = 160;
const RECONCILED_LINE_BYTES = 250;
const PART_BYTES = 8 * 2 ** 20;
const CHUNK_INPUTS = 10_000;
/** A chunk of 10,000 begins a listing of its own, of inputs and, if answers are objects, of outputs. */
const LISTS_A_CHUNK = 11;
/** `MaxItemsPerBatch` of state BundleInputs in statemachines/batch-inference.asl.yml. */
const BUNDLES_A_BATCH = 32;
/** Bundles beside each other whose inputs are read at once. */
const NEIGHBORS = 6;
const SHARD_INPUTS = SHARD_BOUNDS.inputs;
/** Plan, lines, index and parts of the labels. */
const READS_A_SHARD = 15;
/** Share of the inputs that are mistakes, and the bytes of a line about one with its five best scores. */
const MISTAKES = 0.1;
const MISTAKE_LINE_BYTES = 350;
/** Outputs that are read again at most, if five scores don't tell whether a label is suspect. */
const OUTPUTS_READ_AGAIN = 20_000;
/** Images of the page: 24 mistakes, 24 suspect labels, and images for 300 cells. */
const PAGE_IMAGES = 24 + 24 + 300;
const TALLY_BYTES_A_CELL = 0.6;
const ROWS_BYTES = 120_000;
const JOB_START_SECONDS = 240;
const LOOKS_A_HOUR = 60;
const HEADS_A_LOOK = 200;
/** Wait, look and choice; what starts and judges a job; everything before and after the jobs. */
const TRANSITIONS_A_LOOK = 3;
const TRANSITIONS_A_JOB = 6;
const TRANSITIONS_A_RUN = 30;

/** S3 answers a small request in this time, and takes so many a second below one new prefix. */
const S3 = {
  read: { seconds: 0.025, perSecond: 5_500 },
  write: { seconds: 0.03, perSecond: 3_500 },
} as const;
/** Requests in flight in one Lambda: src/app/inputs/index-tars.ts, bundle-inputs.ts, src/app/engine/lambda/predict-range.ts. */
const AT_ONCE = { 'index-tars': 32, 'bundle-inputs': 32, 'predict-shard': 16 } as const;
/** In flight over all Lambdas that fold: src/app/report/fold-predictions.ts. */
const FOLD_READS = 128;
const FOLD_READS_A_LAMBDA = 48;
const FUNCTION_START_SECONDS = 5;

/** Sizes of a run that follow from the settings of its scenario, by the code that plans it. */
export function sizesOf(scenario: Scenario) {
  const { engine, form, inputs, inputBytes } = scenario;
  const { sending, work, planning, settings } = plannedFor(scenario);
  const padded = 512 + Math.ceil(inputBytes / 512) * 512;
  const ofBundle =
    sending.bundle && Math.min(sending.bundle.inputs, Math.floor(sending.bundle.bytes / padded));
  const pilot = pilotSize('auto', inputs, planning.quoteSeconds(work, settings));
  const each = inputsOfLine(sending.bundle, inputBytes);
  const jobs =
    Math.sign(pilot) + splitJobs(inputs - pilot, planning.objectsOfJob(work, settings), each).length;
  const bundles = ofBundle === null ? 0 : Math.ceil(inputs / ofBundle);
  return {
    /** Objects that are uploaded. */
    dropped: form === 'tars' ? Math.ceil(inputs / scenario.membersOfTar) : inputs,
    droppedBytes: form === 'tars' ? padded : inputBytes,
    tars: form === 'tars' ? Math.ceil(inputs / scenario.membersOfTar) : 0,
    /** Members that IndexTars writes as objects: bundles are made of tars as they lie. */
    unpacked: form === 'tars' && ofBundle === null ? inputs : 0,
    /** Requests that read the inputs of bundles: of a tar one reads neighbors, up to a mebibyte of them. */
    reads:
      form === 'tars' && ofBundle !== null
        ? inputs / Math.max(1, Math.min(ofBundle, Math.floor(2 ** 20 / padded)))
        : inputs,
    /** Inputs of a bundle of answers; null if answers are objects. */
    ofBundle,
    bundles,
    bundleBytes: (ofBundle ?? 0) * padded,
    /** Whether bundles are written for a job to read, as SageMaker's are. */
    writesBundles: engine === 'sagemaker' && bundles > 0,
    shards: Math.ceil(inputs / SHARD_INPUTS),
    jobs,
  };
}

/** The plan of a scenario's jobs. */
function plannedFor({ engine, form, inputs, inputBytes, ...scenario }: Scenario) {
  const { instanceType, instances: instanceCount } = scenario;
  const config = PipelineConfig.parse({
    model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
    labels: { classes: ['a', 'b'] },
    transform: {
      engine,
      bundle: form === 'objects' ? 'never' : 'auto',
      instanceTypes: [instanceType],
      instanceCount,
    },
  });
  const planning = planningOf(engine);
  const able = forEngine(config, engine, { ...scenario, predictMemoryMB: PREDICT_MEMORY_MB });
  const work = { objects: inputs, bytes: inputs * inputBytes };
  const sending = planning.sending(able, work, []);
  const { settings } = planning.jobSettings(able, inputBytes, [], sending.bundle);
  return { planning, work, sending, settings };
}

/** Every request, event, message, transition and gigabyte of a run. */
export function billOf(scenario: Scenario): readonly Item[] {
  const { inputs: n, engine } = scenario;
  const {
    dropped,
    droppedBytes,
    tars,
    unpacked,
    reads,
    ofBundle,
    bundles,
    bundleBytes,
    writesBundles,
    shards,
    jobs,
  } = sizesOf(scenario);
  const seconds = timesOf(scenario);
  const bill = new Bill((stored) => daysStored(scenario, stored));
  const parts = (bytes: number): number => Math.ceil(bytes / PART_BYTES);
  /** Pieces of a list, each of the size that S3 joins. */
  const pieces = (step: string, what: string, bytes: number): void =>
    bill.put(step, what, parts(bytes), { bytes: bytes / parts(bytes), stored: 'all else' });
  const small = { bytes: 1_000, stored: 'all else' };

  const batches = Math.ceil(dropped / EVENTS_A_BATCH);
  bill.put('upload', 'inputs', dropped, { bytes: (n * droppedBytes) / dropped, stored: 'inputs' });
  bill.add('upload', 'messages sent to the queue', dropped, USD.sqs);
  bill.add('upload', 'receives and deletes of ten messages', (2 * dropped) / 10, USD.sqs);
  bill.invoke('upload', 'accept-drop', batches, batches * 0.1);
  bill.put('upload', 'pulses of accept-drop', batches, { bytes: 100, stored: 'all else' });
  bill.list('upload', 'states of the drop', batches);
  bill.read('upload', 'states of the drop', batches * READS_A_BATCH);

  const slices = Math.ceil(dropped / SLICE_INPUTS);
  bill.list('manifest', 'inputs', dropped / LIST_PAGE);
  bill.put('manifest', 'slices and progress', 3 * slices, {
    bytes: SLICE_INPUTS * MANIFEST_LINE_BYTES,
    stored: 'all else',
  });
  bill.add('manifest', 'parts that S3 joins to the manifest', slices, USD.s3Write);
  bill.invoke('manifest', 'settle-drop', Math.ceil(seconds.manifest / 240), seconds.manifest);

  bill.read('tars', 'tars', tars);
  bill.put('tars', 'members, each an object', unpacked, {
    bytes: scenario.inputBytes,
    stored: 'unpacked members',
  });
  bill.put('tars', 'lists of members and marks', 2 * tars, {
    bytes: (scenario.membersOfTar * MANIFEST_LINE_BYTES) / 2,
    stored: 'all else',
  });
  bill.children('tars', 'IndexTars', tars, 3);
  bill.invoke('tars', 'index-tars', tars, tars > 0 ? seconds.tars * functionsOf(scenario, tars) : 0);

  pieces('plan', 'the inputs of jobs', n * (ofBundle === null ? 30 : MANIFEST_LINE_BYTES));
  pieces('plan', 'labels', n * 80);
  bill.invoke('plan', 'plan-run', tars > 0 ? 2 : 1, seconds.plan);

  if (writesBundles) {
    bill.read('bundle', 'inputs', reads);
    bill.read('bundle', 'plans and lines', bundles + Math.ceil(bundles / BUNDLES_A_BATCH));
    bill.put('bundle', 'bundles', bundles, { bytes: bundleBytes, stored: 'bundles of inputs' });
    const batches = Math.ceil(bundles / BUNDLES_A_BATCH);
    bill.children('bundle', 'BundleInputs', batches, 1);
    bill.invoke('bundle', 'bundle-inputs', batches, seconds.bundle * functionsOf(scenario, batches));
  }

  const looks = (seconds.transform / 3_600) * LOOKS_A_HOUR;
  if (engine === 'sagemaker') {
    const requests = writesBundles ? bundles : n;
    bill.read('transform', 'requests by SageMaker', requests);
    bill.put('transform', 'answers by SageMaker', requests, {
      bytes: (n * scenario.outputBytes) / requests,
      stored: 'answers',
    });
    const hours = (n / rateOf(scenario) + jobs * JOB_START_SECONDS * scenario.instances) / 3_600;
    bill.add('transform', `hours of ${scenario.instanceType}`, hours, usdPerHour(scenario));
    bill.read(
      'transform',
      'outputs looked up by check-transform',
      writesBundles ? looks * 10 : looks * HEADS_A_LOOK,
    );
    const logGb = (requests * scenario.logBytes) / 1e9;
    bill.add('logs', 'GB of the container', logGb, USD.logGb);
    // SageMaker makes its log groups without a retention.
    bill.add('storage', 'GB-months of the container’s log, a year', logGb * 12, USD.logGbMonth);
  } else {
    bill.read('transform', 'inputs', reads);
    const batches = Math.ceil(bundles / batchSize(bundles, scenario.predictConcurrency));
    bill.read('transform', 'plans, lines, progress and earlier answers', 3 * bundles + batches);
    bill.put('transform', 'progress', bundles, small);
    bill.put('transform', 'bundles of answers', bundles, {
      bytes: (n * scenario.outputBytes) / bundles,
      stored: 'answers',
    });
    bill.children('transform', 'PredictShards', batches, 3);
    bill.invoke('transform', 'predict-shard', batches, predictSeconds(scenario));
    bill.list('transform', 'answers by check-transform', (looks * bundles) / LIST_PAGE);
  }
  const transitions = looks * TRANSITIONS_A_LOOK + jobs * TRANSITIONS_A_JOB + TRANSITIONS_A_RUN;
  bill.add('transform', 'transitions of the state machine', transitions, USD.transition);

  const chunks = Math.ceil(n / CHUNK_INPUTS);
  bill.list('reconcile', 'inputs', chunks * (tars > 0 ? 2 : LISTS_A_CHUNK));
  if (ofBundle === null) bill.list('reconcile', 'outputs', chunks * LISTS_A_CHUNK);
  else {
    bill.list('reconcile', 'bundles', bundles / LIST_PAGE);
    // A bundle across the border of two chunks is read for both.
    bill.read('reconcile', 'first lines of bundles', bundles + chunks);
    bill.read('reconcile', 'names in bundles', Math.ceil(bundles / NEIGHBORS) + chunks);
  }
  const reconciled = n * RECONCILED_LINE_BYTES;
  pieces('reconcile', 'slices', reconciled);
  pieces('reconcile', 'the list that S3 joins', reconciled);
  bill.put('reconcile', 'progress', parts(reconciled), small);
  bill.invoke('reconcile', 'reconcile-outputs', Math.ceil(seconds.reconcile / 600), seconds.reconcile);

  bill.read(
    'fold',
    ofBundle === null ? 'outputs' : 'bundles of answers',
    ofBundle === null ? n : bundles + shards,
  );
  bill.read('fold', 'lines, plan and labels', shards * READS_A_SHARD);
  const perShard = { stored: 'all else' };
  bill.put('fold', 'tallies', shards, { ...perShard, bytes: classesOf(scenario) ** 2 * TALLY_BYTES_A_CELL });
  bill.put('fold', 'rows', shards, { ...perShard, bytes: ROWS_BYTES });
  bill.put('fold', 'mistakes', shards, { ...perShard, bytes: SHARD_INPUTS * MISTAKES * MISTAKE_LINE_BYTES });
  bill.children('fold', 'FoldPredictions', shards, 1);
  bill.invoke('fold', 'fold-predictions', shards, seconds.fold * scenario.foldConcurrency);

  bill.read('report', 'tallies and mistakes', 2 * shards);
  bill.read(
    'report',
    'outputs for suspect labels, at most',
    Math.min(OUTPUTS_READ_AGAIN, ofBundle === null ? Infinity : bundles),
  );
  bill.read('report', 'images of the page', PAGE_IMAGES);
  bill.put('report', 'the report', 12, { ...perShard, bytes: 500_000 });
  bill.invoke('report', 'write-report', 1, seconds.report);
  return bill.finish();
}

/** Days until an object and its expired version are gone: infra/shared/storage.yml. */
function daysStored(scenario: Scenario, stored: string): number {
  const { incomingRetentionDays, runsRetentionDays, stagedRetentionDays, noncurrentRetentionDays } = scenario;
  if (stored === 'unpacked members' || stored === 'bundles of inputs') return stagedRetentionDays + 1;
  return (stored === 'inputs' ? incomingRetentionDays : runsRetentionDays) + noncurrentRetentionDays;
}

/** Wall-clock seconds of each step, one after the other. */
export function timesOf(scenario: Scenario) {
  const { inputs: n, foldConcurrency } = scenario;
  const {
    dropped,
    tars,
    unpacked,
    reads: inputReads,
    ofBundle,
    bundles,
    writesBundles,
    shards,
    jobs,
  } = sizesOf(scenario);
  const share = n / 10_000_000;
  const dropShare = dropped / 10_000_000;
  const isBundled = ofBundle !== null;
  const reads = Math.min(FOLD_READS, FOLD_READS_A_LAMBDA * shards);
  const foldCpu =
    (shards * MEASURED[isBundled ? 'fold-predictions of bundles' : 'fold-predictions'].cpuSeconds) /
    foldConcurrency;
  const transform =
    scenario.engine === 'sagemaker'
      ? n / (rateOf(scenario) * scenario.instances) + jobs * JOB_START_SECONDS
      : Math.max(
          predictSeconds(scenario) / Math.min(scenario.predictConcurrency, bundles),
          inputReads / S3.read.perSecond,
        );
  return {
    upload: dropped / scenario.uploadsPerSecond,
    manifest: Math.max(
      (dropped / LIST_PAGE) * LIST_PAGE_SECONDS,
      MEASURED['settle-drop'].cpuSeconds * dropShare,
    ),
    tars:
      tars === 0
        ? 0
        : eachSeconds('index-tars', S3.write, {
            requests: unpacked,
            functions: functionsOf(scenario, tars),
            cpuSeconds: n * PREDICTING.indexCpuSeconds,
          }),
    plan: MEASURED[isBundled ? 'plan-run of bundles' : 'plan-run'].cpuSeconds * share,
    bundle: writesBundles
      ? eachSeconds('bundle-inputs', S3.read, {
          requests: inputReads,
          functions: functionsOf(scenario, bundles),
          cpuSeconds: inputReads * PREDICTING.readCpuSeconds,
        })
      : 0,
    transform,
    reconcile: MEASURED[isBundled ? 'reconcile-outputs of bundles' : 'reconcile-outputs'].cpuSeconds * share,
    fold: isBundled ? foldCpu : Math.max((n * S3.read.seconds) / reads, foldCpu),
    report: Math.max(60 * share, MEASURED['write-report'].cpuSeconds * share),
  };
}

/** Children of a Map at once. */
function functionsOf({ foldConcurrency }: Scenario, items: number): number {
  return Math.min(foldConcurrency, items);
}

/** Seconds of functions that make a request for each input: the longest of the in-flight limit, the processor time, and S3's time. */
function eachSeconds(
  name: keyof typeof AT_ONCE,
  s3: { readonly seconds: number; readonly perSecond: number },
  {
    requests,
    functions,
    cpuSeconds,
  }: { readonly requests: number; readonly functions: number; readonly cpuSeconds: number },
): number {
  return Math.max(
    (requests * s3.seconds) / (AT_ONCE[name] * functions),
    cpuSeconds / functions,
    requests / s3.perSecond,
  );
}

/** Seconds of all functions that predict: an input is read while another is with the model, on one processor. */
function predictSeconds(scenario: Scenario): number {
  const { inputs, network, predictConcurrency, gflops } = scenario;
  const { reads } = sizesOf(scenario);
  const measured = reads * PREDICTING.readCpuSeconds + inputs * PREDICTING.networks[network].cpuSeconds;
  const cpu = (measured * GFLOPS.measured) / gflops;
  const work = Math.max(cpu, (reads * S3.read.seconds) / AT_ONCE['predict-shard']);
  return work + Math.min(predictConcurrency, sizesOf(scenario).bundles) * FUNCTION_START_SECONDS;
}

/** Decoding a larger image costs more than its request. */
const GAINING_BYTES = 20_000;

/** Inputs a second of an instance. */
function rateOf(scenario: Scenario): number {
  const isGained = sizesOf(scenario).writesBundles && scenario.inputBytes <= GAINING_BYTES;
  return scenario.inputsPerSecond * (isGained ? PREDICTING.bundledGain : 1);
}

function usdPerHour({ instanceType }: Scenario): number {
  const usd = priceTable.usdPerHour[instanceType];
  if (usd === undefined) throw new RangeError(`the price table has no ${instanceType}`);
  return usd;
}

function classesOf({ network }: Scenario): number {
  return PREDICTING.networks[network].classes;
}

/** Reads of the inputs where `report.slices` asks what images show: their first 64 KiB, or all of them for brightness. */
export function imageSlicesUsd({ inputs }: Scenario): number {
  return inputs * USD.s3Read;
}

/** Settings of pipeline.json that make the drop one run that finishes on its own, even if the model is no faster than PlanRun's quote. */
export function settingsFor(scenario: Scenario): {
  maxWaitMinutes: number;
  maxRuntimeMinutes: number;
  maxCostUsd: number;
} {
  const seconds = timesOf(scenario);
  const startMinutes = (sizesOf(scenario).jobs * JOB_START_SECONDS) / 60;
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
  const { planning, work, settings } = plannedFor(scenario);
  return planning.quoteSeconds(work, settings) / 60;
}

/** Cost of all instances for the given minutes, in US dollars. */
export function instancesUsd(scenario: Scenario, minutes: number): number {
  return (minutes / 60) * scenario.instances * usdPerHour(scenario);
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
