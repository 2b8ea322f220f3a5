import { type DropParts, parseRunId, type RunParts, toRunId } from './run-id.ts';
import { RUN_KIND_NAMES, RUN_KINDS, type RunKind, splitRunKind } from './run-kind.ts';
import { evaluationSet, folder, type StoredKey, written, writtenBelow } from './stored-key.ts';

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

const pipelineFolder: StoredKey<[of: (typeof PIPELINE_FOLDERS)[number], pipeline: string]> =
  folder('{of}/{pipeline}/');

/** Writers that do the same in runs of both kinds. */
const both = (...roles: readonly string[]) => ({ inference: roles, training: roles });
const REPORTING = { inference: ['write-report'], training: ['write-training-report'] };
/** Steps that plan jobs, and those that send more of them. */
const PLANNING = ['plan-run', 'judge-round', 'reconcile-outputs'];
/** Functions that look after runs when their executions have ended. */
const CLEANING = ['clean-up-run', 'sweep'];
/** Steps of the state machine `endpoint` that change one. */
const CHANGING = ['deploy-endpoint', 'roll-back-endpoint', 'delete-endpoint', 'finish-endpoint'];

const indexEntry = written('index/{kind}{pipeline}/{startedAt:newest}-{name}-{generation}.json', REPORTING);

/**
 * Where everything lies in the application's bucket, and who writes it: the roles' rights to write are made from these rows. No
 * other file spells a key.
 *
 * Output never lies under the input prefix, and `state/` is never expired.
 */
export const bucketLayout = {
  pipelineFolder,
  pipelines: folder('pipelines/'),
  /** Inputs and models for all pipelines. */
  shared: writtenBelow('shared/', ['people']),
  pipelineConfig: written('pipelines/{pipeline}/pipeline.json', ['people', 'canary']),
  pipelineFile: writtenBelow('pipelines/{pipeline}/{name}', ['people']),
  pipelineModel: written('pipelines/{pipeline}/model.tar.gz', ['people', 'canary', 'promote-model']),
  /** Measurements of probes. */
  speeds: written('pipelines/{pipeline}/speeds.json', ['people']),
  prices: written('pipelines/prices.json', ['people']),
  /** Model archives by digest. */
  models: folder('models/'),
  modelFolder: folder('models/{sha256}/'),
  model: written('models/{sha256}/model.tar.gz', ['prepare-model', 'register-model', 'evaluate-model']),
  /** A model as functions open it, by its converter's version: the document of a tar, and the tar by its own digest. */
  conversion: written('models/{sha256}/onnx/{version}/conversion.json', ['prepare-model']),
  convertedModel: written('models/{sha256}/onnx/{version}/{digest}.tar', ['prepare-model']),
  /** Whether it answers bundles, by the way in which it is asked. */
  bundleFact: written('models/{sha256}/bundles/{way}.json', ['reconcile-outputs']),

  /** A training's source code as SageMaker takes it, by its digest. */
  source: written('sources/{sha256}/sourcedir.tar.gz', ['package-source']),

  /** Files of a drop, or of the evaluation set that the drop stands for. */
  dropFolder: writtenBelow('{dropFolder}', { inference: ['people', 'canary'], training: ['people'] }),
  dropReady: written('{dropFolder}_READY', {
    inference: ['people', 'canary'],
    training: ['people', 'api-start'],
  }),
  dropJob: written('{dropFolder}job.json', { inference: ['people'], training: ['people', 'api-start'] }),
  /** Files that judge trained models. They are the pipeline owner's: suppliers write below `incoming/` and `training/`. */
  evaluationSet,
  pulse: written('state/{drop}/pulse', both('accept-drop')),
  freezing: written('state/{run}/freezing', both('settle-drop')),
  frozen: written('state/{run}/frozen.json', {
    inference: ['settle-drop', ...CLEANING, 'api-start'],
    training: ['settle-drop', ...CLEANING],
    evaluation: ['plan-training', 'evaluate-model'],
  }),
  ended: written('state/{run}/ended.json', {
    ...both('settle-drop', 'notify', 'sweep'),
    evaluation: ['plan-training'],
  }),
  /** Slices of the entries that this generation and those before it had; `state/` is never expired. */
  covered: folder('state/{run}/covered/'),
  coveredSlice: written('state/{run}/covered/{name}.jsonl.gz', {
    ...both('settle-drop'),
    deletes: ['settle-drop'],
  }),
  /** Progress of the daily sweep. */
  sweep: written('state/sweep.json', ['sweep']),
  state: folder('state/'),
  /** Runs of the pipeline that are under way or waiting, and the cost of the day's runs. */
  ledger: written('state/{pipeline}/ledger.json', ['settle-drop', 'plan-run', 'plan-training', 'notify']),
  stateOf: folder('state/{drop}/'),

  run: folder('runs/{run}/'),
  plan: written('runs/{run}/plan.json', { inference: PLANNING, training: ['plan-training'] }),
  manifest: written('runs/{run}/manifest.jsonl', {
    ...both('settle-drop'),
    evaluation: ['plan-training'],
  }),
  /** The inputs of a run, unless they are the objects of its manifest. */
  inputs: written('runs/{run}/inputs.jsonl', ['plan-run']),
  /** Tars to be read, and stretches of the manifest next to them. */
  tars: written('runs/{run}/tars.json', ['plan-run']),
  /** Results of functions in a Distributed Map, written by Step Functions; statemachines/batch-inference.asl.yml has the keys. */
  indexResult: written('runs/{run}/index-results/{map}/{file}', ['states']),
  bundleResult: written('runs/{run}/bundle-results/{map}/{file}', ['states']),
  foldResult: written('runs/{run}/fold-results/{map}/{file}', ['states']),
  /** Members of a tar or records of a table, by their places; how far a table is opened; and the mark that all are listed and staged. */
  members: written('runs/{run}/members/{item:0}/{start:0}-{end:0}.jsonl', ['index-tars']),
  tableProgress: written('runs/{run}/members/{item:0}/progress.json', ['index-tars']),
  indexed: written('runs/{run}/members/{item:0}.json', ['index-tars']),
  /**
   * Copies of inputs for jobs to read, each below this prefix by the rest of its name, in a run with tars. What lies below
   * `staged/` stays only for some days.
   */
  unpacked: writtenBelow('staged/{run}/inputs/', ['index-tars']),
  /** Those of them that were drawn, where a run predicts a sample. */
  sample: written('runs/{run}/sample.jsonl', ['plan-run', 'judge-round']),
  /** Slices of the manifest, and how far the listing is. */
  freezeSlice: written('runs/{run}/freeze/{name}.manifest.jsonl', {
    ...both('settle-drop'),
    evaluation: ['plan-training'],
  }),
  freezeProgress: written('runs/{run}/freeze/progress.json', both('settle-drop')),
  /** Copy of the drop's label file when the run was planned. */
  labels: written('runs/{run}/labels', ['plan-run']),
  /** The rows of that copy, sorted. */
  labelPart: written('runs/{run}/sorted-labels/{part:0}.jsonl', ['plan-run']),
  labelIndex: written('runs/{run}/sorted-labels/index.json', ['plan-run']),
  /** Why functions cannot run its model. */
  refusal: written('runs/{run}/refusal.json', ['prepare-model']),
  /** Why its first bundle has no usable answer. */
  unbundled: written('runs/{run}/unbundled.json', ['reconcile-outputs']),
  problems: written('runs/{run}/problems.json', {
    inference: ['settle-drop', 'plan-run'],
    training: ['settle-drop', 'plan-training'],
  }),
  jobs: folder('runs/{run}/jobs/'),
  jobInput: written('runs/{run}/jobs/{job:0}/input.manifest', ['plan-run', 'reconcile-outputs']),
  /** Inputs of one of the plan's jobs; the attempts that carry it out are numbered on their own. */
  partInput: written('runs/{run}/parts/{part:0}/input.manifest', ['plan-run', 'judge-round']),
  parts: folder('runs/{run}/parts/'),
  /** The inputs that a job is sent, and the bundles that they are cut into: next to its input manifest, in a folder such as `parts/1`. */
  inputManifest: written('runs/{run}/{list}/input.manifest', ['start-transform']),
  sentInputs: written('runs/{run}/{list}/inputs.jsonl', PLANNING),
  bundleItems: written('runs/{run}/{list}/bundles.json', PLANNING),
  /** Copies of inputs for jobs to read, many in an object. */
  bundles: folder('staged/{run}/bundles/'),
  bundle: written('staged/{run}/bundles/{list}/{bundle:000000}', ['bundle-inputs']),
  /** A model's answers, by the names of the inputs or of the bundles of a list. */
  predictions: writtenBelow('runs/{run}/predictions/', ['model', 'predict-shard']),
  listOutputs: folder('runs/{run}/predictions/{list}/'),
  bundleOutput: written('runs/{run}/predictions/{list}/{bundle:000000}.out', ['model', 'predict-shard']),
  /** The first job's answers to bundles, which are deleted if they can't be used. */
  jobOutputs: writtenBelow('runs/{run}/predictions/jobs/', { deletes: ['reconcile-outputs'] }),
  /** Progress of a function that answers a bundle, and the answers that it has so far. */
  shardProgress: written('runs/{run}/shards/{list}/{bundle:000000}/progress.json', ['predict-shard']),
  /** Results of the functions of an attempt, written by Step Functions. */
  shardResults: folder('runs/{run}/shard-results/{attempt:0}'),
  shardResult: written('runs/{run}/shard-results/{attempt:0}/{map}/{file}', ['predict-shards']),
  shardPiece: written('runs/{run}/shards/{list}/{bundle:000000}/{from:000000}.jsonl', ['predict-shard']),
  job: written('runs/{run}/jobs/{job:0}/job.json', {
    inference: [...PLANNING, 'start-transform', 'check-transform', 'await-left-jobs', ...CLEANING],
    training: ['start-training', 'check-training', 'await-left-jobs', ...CLEANING],
  }),
  reconciled: written('runs/{run}/reconciled.jsonl', ['reconcile-outputs']),
  /** Slices of reconciled.jsonl, and how far the comparison after an attempt is. */
  comparisonSlice: written('runs/{run}/comparison/{attempt:0}/{name}.jsonl', ['reconcile-outputs']),
  comparisonProgress: written('runs/{run}/comparison/{attempt:0}/progress.json', ['reconcile-outputs']),
  shards: written('runs/{run}/shards.json', ['reconcile-outputs']),
  tally: written('runs/{run}/fold/{shard:000000}.json', ['fold-predictions']),
  /** Lines of flips.csv of one shard. */
  shardFlips: written('runs/{run}/fold/{shard:000000}.flips.csv', ['fold-predictions']),
  /** Mistakes of one shard, a line each. */
  shardMistakes: written('runs/{run}/fold/{shard:000000}.mistakes.jsonl', ['fold-predictions']),
  foldFailure: written('runs/{run}/fold/failure.json', ['fold-predictions']),
  rowsFolder: folder('runs/{run}/rows/'),
  rows: written('runs/{run}/rows/{shard:000000}.parquet', ['fold-predictions']),
  reportJson: written('runs/{run}/report.json', REPORTING),
  reportHtml: written('runs/{run}/report.html', REPORTING),
  confusionMatrix: written('runs/{run}/confusion-matrix.svg', ['write-report']),
  errors: written('runs/{run}/errors.csv', ['write-report']),
  reviews: written('runs/{run}/reviews.json', ['people']),
  suspectLabels: written('runs/{run}/suspect-labels.csv', ['write-report']),
  flips: written('runs/{run}/flips.csv', ['write-report']),
  summary: written('runs/{run}/summary.md', REPORTING),
  athenaTable: written('runs/{run}/athena.sql', ['write-report']),
  receipt: written('runs/{run}/receipt.json', ['write-report']),
  message: written('runs/{run}/message.json', both('notify')),
  /** SageMaker's outputs of a training's jobs: all trainings have one role, and cannot guess each other's id, nor list it. */
  trainingOutput: writtenBelow('runs/{run}/output/{id}/', { training: ['training'] }),
  /** Checkpoints of a training; its reruns continue from them. SageMaker removes those that the script has removed. */
  checkpoints: writtenBelow('runs/{run}/checkpoints/{id}/', {
    training: ['training'],
    deletes: ['training'],
  }),
  /** The archive that a training made, and inputs that have changed since. */
  registered: written('runs/{run}/registered.json', { training: ['register-model'] }),
  /** The archive with the code that was laid next to the model, and the one with code for bundles. */
  packed: written('runs/{run}/packed/model.tar.gz', {
    inference: ['plan-run'],
    training: ['register-model'],
  }),
  packedForBundles: written('runs/{run}/packed/bundles.tar.gz', ['plan-run']),
  /** Runs that judge the model of a training. */
  evaluation: written('runs/{run}/evaluation.json', { training: ['evaluate-model'] }),
  /** Contents of the evaluation that do not count in the figures that the gate judges. */
  setAside: written('runs/{run}/set-aside.json', { training: ['evaluate-model'] }),
  promotion: written('runs/{run}/promotion.json', { training: ['people', 'promote-model'] }),

  /** Inputs of one of a training's channels, in SageMaker's manifest format. */
  channelInput: written('runs/{run}/channels/{channel}.manifest', { training: ['plan-training'] }),
  packagedSource: written('runs/{run}/source.json', { training: ['package-source'] }),
  metrics: written('runs/{run}/metrics.json', { training: ['check-training'] }),
  indexes: folder('index/{kind}'),
  index: folder('index/{kind}{pipeline}/'),
  /** Key that lists newest first; it is the same each time the entry is written. */
  indexEntry: Object.assign(
    ({ kind, pipeline, drop, generation }: RunParts, startedAt: Date) =>
      indexEntry(kind, pipeline, startedAt, drop, generation),
    { ...indexEntry },
  ),

  endpoints: folder('endpoints/'),
  /** Endpoints of type lambda, and their configurations, by name. */
  functionEndpoints: folder('functions/endpoints/'),
  functionEndpoint: written('functions/endpoints/{name}.json', {
    inference: ['deploy-endpoint', 'roll-back-endpoint', 'finish-endpoint'],
    deletes: ['deploy-endpoint', 'roll-back-endpoint', 'delete-endpoint'],
  }),
  /** One under test, by the end of its name; the sweep deletes those that nobody tests any more. */
  candidateEndpoint: written('functions/endpoints/{name}-candidate-{id}.json', {
    deletes: ['sweep-endpoints'],
  }),
  functionConfigs: folder('functions/configs/'),
  functionConfig: written('functions/configs/{name}.json', {
    inference: ['deploy-endpoint'],
    deletes: ['finish-endpoint'],
  }),
  /** The facts that the prediction API needs about a pipeline's endpoint. */
  served: written('endpoints/{pipeline}/served.json', {
    inference: [...CHANGING, 'sweep-endpoints'],
    deletes: ['finish-endpoint'],
  }),
  /** The change of an endpoint that is under way; at most one a pipeline. */
  endpointChange: written('endpoints/{pipeline}/change.json', { inference: CHANGING, deletes: CHANGING }),
  /** Messages about endpoints; those of runs lie with them. */
  endpointMessages: folder('messages/'),
  endpointMessage: written('messages/{pipeline}/{sentAt:newest}-{id}.json', [
    'notify-endpoint',
    'repair-endpoint',
    'sweep-endpoints',
  ]),
} as const;

/** The last folder of a prefix: the pipeline of `index/cifar10/`. */
export function folderName(prefix: string): string {
  return prefix.split('/').at(-2) ?? prefix;
}

/** The run that has this key, or its folder, below `runs/` or `state/`. */
export function runOfKey(key: string): RunParts | undefined {
  const [, ...parts] = key.split('/');
  return parseRunId(parts.slice(0, 3).join('/')) ?? parseRunId(parts.slice(0, 4).join('/'));
}

/** Orders keys by their names, which begin with their inverted time, whatever their folder. */
export function newestFirst(a: { readonly key: string }, b: { readonly key: string }): number {
  const nameOf = ({ key }: { readonly key: string }): string => key.slice(key.lastIndexOf('/'));
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

/** The run of an entry's key below `index/`; undefined for a key of another form. */
export function runOfEntry(kind: RunKind, pipeline: string, key: string): RunParts | undefined {
  const [, drop, generation] =
    /^\d{13}-(.+)-([^-]+)\.json$/.exec(key.slice(bucketLayout.index(kind, pipeline).length)) ?? [];
  return parseRunId(toRunId({ kind, pipeline, drop: drop ?? '', generation: generation ?? '' }));
}

/** The drop that has this key in its folder below `state/`; undefined for a key outside such folders. */
export function dropOfState(key: string): DropParts | undefined {
  const { kind, rest } = splitRunKind(key.slice(bucketLayout.state().length));
  const [pipeline, drop, ...mark] = rest.split('/');
  if (pipeline === undefined || drop === undefined || mark.length === 0) return undefined;
  return { kind, pipeline, drop };
}

/** The folder, below its run's, of the file that lists a job's inputs: `parts/1` or `jobs/4`. */
export function listFolder(run: RunParts, key: string): string {
  return key.slice(bucketLayout.run(run).length, key.lastIndexOf('/'));
}

/** Whether a key below `jobs/` is an attempt's record. */
export function isJobRecord(key: string): boolean {
  return key.endsWith('/job.json');
}
