import { evaluationOf } from './evaluation-drop.ts';
import { type DropParts, parseRunId, type RunParts, toDropId, toRunId } from './run-id.ts';
import { RUN_KIND_NAMES, RUN_KINDS, type RunKind, splitRunKind } from './run-kind.ts';

/** Folders of the bucket with a folder for each pipeline. */
export const PIPELINE_FOLDERS = [
  'pipelines',
  ...RUN_KIND_NAMES.map((kind) => RUN_KINDS[kind].folder),
  'state',
  'runs',
  'staged',
  'index',
  'endpoints',
  'messages',
  'shared',
] as const;

/**
 * Where everything lies in the application's bucket. No other file spells a key.
 *
 * Output never lies under the input prefix, and `state/` is never expired.
 */
export const bucketLayout = {
  pipelineFolder: (folder: (typeof PIPELINE_FOLDERS)[number], pipeline: string) => `${folder}/${pipeline}/`,
  pipelines: () => 'pipelines/',
  /** Inputs and models for all pipelines. */
  shared: () => 'shared/',
  pipelineConfig: (pipeline: string) => `pipelines/${pipeline}/pipeline.json`,
  pipelineFile: (pipeline: string, name: string) => `pipelines/${pipeline}/${name}`,
  pipelineModel: (pipeline: string) => `pipelines/${pipeline}/model.tar.gz`,
  /** Measurements of probes. */
  speeds: (pipeline: string) => `pipelines/${pipeline}/speeds.json`,
  prices: () => 'pipelines/prices.json',
  /** Model archives by digest. */
  models: () => 'models/',
  model: (sha256: string) => `models/${sha256}/model.tar.gz`,
  /**
   * A model as functions open it, by the version of the converter that has made it: the document of a tar, and the tar by
   * its own digest.
   */
  conversion: (sha256: string, version: string) => `models/${sha256}/onnx/${version}/conversion.json`,
  convertedModel: (sha256: string, version: string, digest: string) =>
    `models/${sha256}/onnx/${version}/${digest}.tar`,
  /** Whether it answers bundles, by the way in which it is asked. */
  bundleFact: (sha256: string, way: string) => `models/${sha256}/bundles/${way}.json`,

  /** A training's source code as SageMaker takes it, by its digest. */
  source: (sha256: string) => `sources/${sha256}/sourcedir.tar.gz`,

  dropFolder,
  /**
   * Files that judge the models which the pipeline trains. They are its owner's, since suppliers write below `incoming/` and
   * `training/`.
   */
  evaluationSet,
  pulse: (drop: DropParts) => `state/${toDropId(drop)}/pulse`,
  freezing: (run: RunParts) => `state/${toRunId(run)}/freezing`,
  frozen: (run: RunParts) => `state/${toRunId(run)}/frozen.json`,
  ended: (run: RunParts) => `state/${toRunId(run)}/ended.json`,
  /** Slices of the entries that this generation and those before it had; `state/` is never expired. */
  covered: (run: RunParts) => `state/${toRunId(run)}/covered/`,
  /** Progress of the daily sweep. */
  sweep: () => 'state/sweep.json',
  state: () => 'state/',
  /** Runs of the pipeline that are under way or waiting, and the cost of the day's runs. */
  ledger: (pipeline: string) => `state/${pipeline}/ledger.json`,
  stateOf: (drop: DropParts) => `state/${toDropId(drop)}/`,

  run: (run: RunParts) => `runs/${toRunId(run)}/`,
  plan: (run: RunParts) => `runs/${toRunId(run)}/plan.json`,
  manifest: (run: RunParts) => `runs/${toRunId(run)}/manifest.jsonl`,
  /** The inputs of a run, where they are not the objects of its manifest. */
  inputs: (run: RunParts) => `runs/${toRunId(run)}/inputs.jsonl`,
  /** Tars to be read, and stretches of the manifest next to them. */
  tars: (run: RunParts) => `runs/${toRunId(run)}/tars.json`,
  /** Members of a tar or records of a table, by their places; how far a table is opened; and the mark that all are listed and staged. */
  members: (run: RunParts, item: number, [start, end]: readonly [number, number]) =>
    `runs/${toRunId(run)}/members/${item}/${start}-${end}.jsonl`,
  tableProgress: (run: RunParts, item: number) => `runs/${toRunId(run)}/members/${item}/progress.json`,
  indexed: (run: RunParts, item: number) => `runs/${toRunId(run)}/members/${item}.json`,
  /**
   * Copies of inputs for jobs to read, each below this prefix by the rest of its name, in a run with tars. What lies below
   * `staged/` stays for some days alone.
   */
  unpacked: (run: RunParts) => `staged/${toRunId(run)}/inputs/`,
  /** Those of them that were drawn, where a run predicts a sample. */
  sample: (run: RunParts) => `runs/${toRunId(run)}/sample.jsonl`,
  /** Slices of the manifest, and how far the listing is. */
  freeze: (run: RunParts) => `runs/${toRunId(run)}/freeze/`,
  freezeProgress: (run: RunParts) => `runs/${toRunId(run)}/freeze/progress.json`,
  /** Copy of the drop's label file when the run was planned. */
  labels: (run: RunParts) => `runs/${toRunId(run)}/labels`,
  /** The rows of that copy, sorted. */
  labelPart: (run: RunParts, part: number) => `runs/${toRunId(run)}/sorted-labels/${part}.jsonl`,
  labelIndex: (run: RunParts) => `runs/${toRunId(run)}/sorted-labels/index.json`,
  /** Why functions cannot run its model. */
  refusal: (run: RunParts) => `runs/${toRunId(run)}/refusal.json`,
  /** Why its first bundle has no usable answer. */
  unbundled: (run: RunParts) => `runs/${toRunId(run)}/unbundled.json`,
  problems: (run: RunParts) => `runs/${toRunId(run)}/problems.json`,
  jobs: (run: RunParts) => `runs/${toRunId(run)}/jobs/`,
  jobInput: (run: RunParts, job: number) => `runs/${toRunId(run)}/jobs/${job}/input.manifest`,
  /** Inputs of one of the plan's jobs; the attempts that carry it out are numbered on their own. */
  partInput: (run: RunParts, part: number) => `runs/${toRunId(run)}/parts/${part}/input.manifest`,
  parts: (run: RunParts) => `runs/${toRunId(run)}/parts/`,
  /** The inputs that a job is sent, and the bundles that they are cut into: next to its input manifest, in a folder such as `parts/1`. */
  inputManifest: (run: RunParts, list: string) => `runs/${toRunId(run)}/${list}/input.manifest`,
  sentInputs: (run: RunParts, list: string) => `runs/${toRunId(run)}/${list}/inputs.jsonl`,
  bundleItems: (run: RunParts, list: string) => `runs/${toRunId(run)}/${list}/bundles.json`,
  /** Copies of inputs for jobs to read, many in an object. */
  bundles: (run: RunParts) => `staged/${toRunId(run)}/bundles/`,
  bundle: (run: RunParts, list: string, bundle: number) =>
    `staged/${toRunId(run)}/bundles/${list}/${padShard(bundle)}`,
  /** Answers of the bundles of a list. */
  listOutputs: (run: RunParts, list: string) => `runs/${toRunId(run)}/predictions/${list}/`,
  bundleOutput: (run: RunParts, list: string, bundle: number) =>
    `runs/${toRunId(run)}/predictions/${list}/${padShard(bundle)}.out`,
  /** Progress of a function that answers a bundle, and the answers that it has so far. */
  shardProgress: (run: RunParts, list: string, bundle: number) =>
    `runs/${toRunId(run)}/shards/${list}/${padShard(bundle)}/progress.json`,
  /** Results of the functions of an attempt, written by Step Functions. */
  shardResults: (run: RunParts, attempt: number) => `runs/${toRunId(run)}/shard-results/${attempt}`,
  shardPiece: (run: RunParts, list: string, bundle: number, from: number) =>
    `runs/${toRunId(run)}/shards/${list}/${padShard(bundle)}/${padShard(from)}.jsonl`,
  job: (run: RunParts, job: number) => `runs/${toRunId(run)}/jobs/${job}/job.json`,
  predictions: (run: RunParts) => `runs/${toRunId(run)}/predictions/`,
  reconciled: (run: RunParts) => `runs/${toRunId(run)}/reconciled.jsonl`,
  /** Slices of reconciled.jsonl, and how far the comparison after an attempt is. */
  comparison: (run: RunParts, attempt: number) => `runs/${toRunId(run)}/comparison/${attempt}/`,
  comparisonProgress: (run: RunParts, attempt: number) =>
    `runs/${toRunId(run)}/comparison/${attempt}/progress.json`,
  shards: (run: RunParts) => `runs/${toRunId(run)}/shards.json`,
  tally: (run: RunParts, shard: number) => `runs/${toRunId(run)}/fold/${padShard(shard)}.json`,
  /** Lines of flips.csv of one shard. */
  shardFlips: (run: RunParts, shard: number) => `runs/${toRunId(run)}/fold/${padShard(shard)}.flips.csv`,
  /** Mistakes of one shard, a line each. */
  shardMistakes: (run: RunParts, shard: number) =>
    `runs/${toRunId(run)}/fold/${padShard(shard)}.mistakes.jsonl`,
  foldFailure: (run: RunParts) => `runs/${toRunId(run)}/fold/failure.json`,
  rowsFolder: (run: RunParts) => `runs/${toRunId(run)}/rows/`,
  rows: (run: RunParts, shard: number) => `runs/${toRunId(run)}/rows/${padShard(shard)}.parquet`,
  reportJson: (run: RunParts) => `runs/${toRunId(run)}/report.json`,
  reportHtml: (run: RunParts) => `runs/${toRunId(run)}/report.html`,
  confusionMatrix: (run: RunParts) => `runs/${toRunId(run)}/confusion-matrix.svg`,
  errors: (run: RunParts) => `runs/${toRunId(run)}/errors.csv`,
  reviews: (run: RunParts) => `runs/${toRunId(run)}/reviews.json`,
  suspectLabels: (run: RunParts) => `runs/${toRunId(run)}/suspect-labels.csv`,
  flips: (run: RunParts) => `runs/${toRunId(run)}/flips.csv`,
  summary: (run: RunParts) => `runs/${toRunId(run)}/summary.md`,
  athenaTable: (run: RunParts) => `runs/${toRunId(run)}/athena.sql`,
  receipt: (run: RunParts) => `runs/${toRunId(run)}/receipt.json`,
  message: (run: RunParts) => `runs/${toRunId(run)}/message.json`,
  /** SageMaker's outputs of a training's jobs: all trainings have one role, and cannot guess each other's id, nor list it. */
  trainingOutput: (training: RunParts, id: string | null) =>
    `runs/${toRunId(training)}/output/${id === null ? '' : `${id}/`}`,
  /** Checkpoints of a training; its reruns continue from them. */
  checkpoints: (training: RunParts, id: string) => `runs/${toRunId(training)}/checkpoints/${id}/`,
  /** The archive that a training made, and inputs that have changed since. */
  registered: (run: RunParts) => `runs/${toRunId(run)}/registered.json`,
  /** The archive with the code that was laid next to the model. */
  packed: (run: RunParts, name: 'model' | 'bundles' = 'model') =>
    `runs/${toRunId(run)}/packed/${name}.tar.gz`,
  /** Runs that judge the model of a training. */
  evaluation: (run: RunParts) => `runs/${toRunId(run)}/evaluation.json`,
  /** Contents of the evaluation that do not count in the figures that the gate judges. */
  setAside: (training: RunParts) => `runs/${toRunId(training)}/set-aside.json`,
  promotion: (run: RunParts) => `runs/${toRunId(run)}/promotion.json`,

  /** Inputs of one of a training's channels, in SageMaker's manifest format. */
  channelInput: (training: RunParts, channel: string) =>
    `runs/${toRunId(training)}/channels/${channel}.manifest`,
  packagedSource: (training: RunParts) => `runs/${toRunId(training)}/source.json`,
  metrics: (training: RunParts) => `runs/${toRunId(training)}/metrics.json`,
  indexes: (kind: RunKind) => `index/${RUN_KINDS[kind].prefix}`,
  index: indexOf,
  /** Key that lists newest first; it is the same each time the entry is written. */
  indexEntry: ({ kind, pipeline, drop, generation }: RunParts, startedAt: Date) =>
    `${indexOf(kind, pipeline)}${invertTime(startedAt)}-${drop}-${generation}.json`,

  endpoints: () => 'endpoints/',
  /** Endpoints of type lambda, and their configurations, by name. */
  functionEndpoints: () => 'functions/endpoints/',
  functionEndpoint: (name: string) => `functions/endpoints/${name}.json`,
  functionConfigs: () => 'functions/configs/',
  functionConfig: (name: string) => `functions/configs/${name}.json`,
  /** The facts that the prediction API needs about a pipeline's endpoint. */
  served: (pipeline: string) => `endpoints/${pipeline}/served.json`,
  /** The change of an endpoint that is under way; at most one a pipeline. */
  endpointChange: (pipeline: string) => `endpoints/${pipeline}/change.json`,
  /** Messages about endpoints; those of runs lie with them. */
  endpointMessages: () => 'messages/',
  endpointMessage: (pipeline: string, sentAt: Date, messageId: string) =>
    `messages/${pipeline}/${invertTime(sentAt)}-${messageId}.json`,
} as const;

/** The last folder of a prefix: the pipeline of `index/cifar10/`. */
export function folderName(prefix: string): string {
  return prefix.split('/').at(-2) ?? prefix;
}

/** The run whose folder below `runs/` or `state/` a key lies in, or is. */
export function runOfKey(key: string): RunParts | undefined {
  const [, ...parts] = key.split('/');
  return parseRunId(parts.slice(0, 3).join('/')) ?? parseRunId(parts.slice(0, 4).join('/'));
}

/** Orders keys whose names begin with their inverted time, whatever their folder. */
export function newestFirst(a: { readonly key: string }, b: { readonly key: string }): number {
  const nameOf = ({ key }: { readonly key: string }): string => key.slice(key.lastIndexOf('/'));
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

/** The run whose entry below `index/` a key is; undefined for a key of another form. */
export function runOfEntry(kind: RunKind, pipeline: string, key: string): RunParts | undefined {
  const [, drop, generation] =
    /^\d{13}-(.+)-([^-]+)\.json$/.exec(key.slice(indexOf(kind, pipeline).length)) ?? [];
  return parseRunId(toRunId({ kind, pipeline, drop: drop ?? '', generation: generation ?? '' }));
}

/** The drop whose folder below `state/` a key lies in; undefined for a key outside such folders. */
export function dropOfState(key: string): DropParts | undefined {
  const { kind, rest } = splitRunKind(key.slice(bucketLayout.state().length));
  const [pipeline, drop, ...mark] = rest.split('/');
  if (pipeline === undefined || drop === undefined || mark.length === 0) return undefined;
  return { kind, pipeline, drop };
}

/** The folder, below that of its run, of the file that lists a job's inputs: `parts/1` or `jobs/4`. */
export function listFolder(run: RunParts, key: string): string {
  return key.slice(bucketLayout.run(run).length, key.lastIndexOf('/'));
}

/** Whether a key below `jobs/` is that of an attempt's record. */
export function isJobRecord(key: string): boolean {
  return key.endsWith('/job.json');
}

function dropFolder({ kind, pipeline, drop }: DropParts): string {
  const evaluation = RUN_KINDS[kind].isJudged ? evaluationOf(drop) : undefined;
  return evaluation === undefined
    ? `${bucketLayout.pipelineFolder(RUN_KINDS[kind].folder, pipeline)}${drop}/`
    : evaluationSet(pipeline, evaluation);
}

function evaluationSet(pipeline: string, name: string): string {
  return `pipelines/${pipeline}/evaluation/${name}/`;
}

function indexOf(kind: RunKind, pipeline: string): string {
  return `${bucketLayout.indexes(kind)}${pipeline}/`;
}

function invertTime(time: Date): string {
  return String(9_999_999_999_999 - time.getTime()).padStart(13, '0');
}

function padShard(shard: number): string {
  return String(shard).padStart(6, '0');
}
