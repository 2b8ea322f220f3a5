import * as z from 'zod';
import { ManifestEntry } from '../drop/manifest-entry.ts';
import { LabelCheck, LabelReading } from '../label/label-check.ts';
import { ColumnSettings } from '../pipeline/column-settings.ts';
import { ResolvedGate } from '../pipeline/gate-settings.ts';
import { TruthSource } from '../pipeline/label-settings.ts';
import { SampleSettings } from '../pipeline/sample-settings.ts';
import { RunId } from '../run/run-id.ts';
import { Clusters, Dimension } from '../slice/dimension.ts';
import { EngineSettings } from '../transform/engine-settings.ts';
import { PlannedEngine } from '../transform/planned-engine.ts';
import { BundleBounds } from '../transform/request-limits.ts';
import { LabelFacts, PlannedEndpoint } from './deployed-plan.ts';
import { PlannedModel } from './planned-model.ts';

const key = ManifestEntry.shape.key;

/** One transform job that the plan asks for: a part of the manifest. */
export const PlannedJob = z.object({
  /** 1, 2, …: in the order in which the jobs run. */
  part: z.int().min(1),
  /** Key of the part's inputs, in SageMaker's manifest format. */
  input: z.string(),
  objects: z.int().min(1),
  bytes: z.int().nonnegative(),
  largestObjectBytes: z.int().nonnegative(),
  firstKey: key,
  lastKey: key,
  /** Sample of inputs for an estimate of the progress; empty if the outputs are counted. */
  sample: z.array(key),
  /** True for the job of the few objects that are far larger than the others. */
  outliers: z.boolean(),
  /** True for the first job, of a few inputs from all over the run. Its answers decide whether the others follow. */
  pilot: z.boolean(),
  /** Settings that the job is started with. */
  engine: EngineSettings,
  quotedSeconds: z.number().nonnegative(),
  /** Round of a run that is decided early; 1 for all jobs of others. */
  round: z.int().min(1),
});
export type PlannedJob = z.infer<typeof PlannedJob>;

/** The random part of a drop that a run predicts. */
export const PlannedSample = z.object({
  /** Inputs drawn, and inputs of the manifest that they were drawn from. */
  inputs: z.int().min(1),
  of: z.int().min(1),
  by: SampleSettings.shape.by.unwrap(),
  /** The file that asked for it, or the probe. */
  file: z.enum(['pipeline.json', 'job.json', 'probe']),
  /** Seed of the lottery: the same for all runs of a manifest, so that they draw the same inputs. */
  seed: z.string(),
  /** Counts of each label; empty if the draw wasn't by class; inputs without a label aren't counted. */
  classes: z.array(z.object({ label: z.string(), inputs: z.int().min(1), of: z.int().min(1) })),
  /** Quote in US dollars of the inputs that were not drawn; null if the instance's price isn't known. */
  restQuoteUsd: z.number().nullable(),
});
export type PlannedSample = z.infer<typeof PlannedSample>;
/** A sample before the rest of the drop is quoted. */
export type DrawnSample = Omit<PlannedSample, 'restQuoteUsd'>;

/** The rounds in which a run draws its inputs until its gate is decided. The further ones are planned while it runs. */
export const PlannedRounds = z.object({
  /** Seed of the lottery, as of a sample. */
  seed: z.string(),
  /** Inputs of the whole drop. */
  of: z.int().min(1),
  /** Inputs that the first round was to have: no later one has fewer, unless fewer are left. */
  first: z.int().min(1),
  /** Labeled inputs of the whole drop by their label, without copies; empty if the gate bounds no class. */
  labels: z.array(z.object({ label: z.string(), of: z.int().min(1) })),
  /** Cells of the lottery that each round draws up to, exclusive. */
  upTo: z.array(z.int().min(1)).min(1),
  /** First attempt of each round. */
  attempts: z.array(z.int().min(1)).min(1),
  /** Settings of the jobs of further rounds. */
  engine: EngineSettings,
  /** Whether a further round may follow; false for a run that repeats the rounds of another one, or scores them again. */
  isOpen: z.boolean(),
  /** Why no further round was sent although the gate was not decided; null if it was, or all are sent. */
  stopped: z
    .object({
      reason: z.string(),
      /** Cells up to the last round that was sent whole: the answers of another are no random part of the drop. */
      upTo: z.int().nonnegative(),
    })
    .nullable(),
});
export type PlannedRounds = z.infer<typeof PlannedRounds>;
/** Rounds as they are drawn for a plan. */
export type DrawnRounds = Pick<PlannedRounds, 'seed' | 'of' | 'first' | 'engine' | 'labels'> & {
  readonly upTo: number;
};

/** The run that this one is compared with. */
const PlannedBaseline = z.object({
  /** Value of `report.baseline`; `replay` if this run repeats that one. */
  asked: z.string(),
  /** Null if "last-passed" found none. */
  run: RunId.nullable(),
});
export type PlannedBaseline = z.infer<typeof PlannedBaseline>;

const [fromKey, fromFolder, fromFile, fromMember, fromColumn, fromRecord] = TruthSource.unwrap().options;
const { extension, path } = fromMember.shape;
const { shape: columns } = ColumnSettings;
const PlannedColumns = ColumnSettings.extend({
  id: columns.id.unwrap(),
  ignore: columns.ignore.unwrap(),
  delimiter: columns.delimiter.unwrap(),
  form: columns.form.unwrap(),
});
const PlannedTruth = z
  .discriminatedUnion('from', [
    fromKey,
    fromFolder,
    fromFile.extend({ path: fromFile.shape.path.unwrap(), column: fromFile.shape.column.unwrap() }),
    fromMember.extend({ extension: extension.unwrap(), path: path.unwrap() }),
    fromColumn,
    fromRecord,
  ])
  .nullable();

/** `plan.json`: a fully resolved run, with every default explicit. */
export const Plan = z.object({
  schema: z.literal(1),
  run: RunId,
  /** Whether PlanRun has chosen the engine, since `transform.engine` is "auto", and may take another one. */
  isEngineChosen: z.boolean(),
  /** UTC, ISO 8601. */
  createdAt: z.iso.datetime(),
  model: PlannedModel,
  input: z.object({
    bucket: z.string(),
    /** Key prefix that the names of all inputs share. */
    prefix: z.string(),
    /** Key prefix in the application's bucket below which jobs find them by the rest of their names; null if the names are keys. */
    unpacked: z.string().nullable(),
  }),
  /** Layout of the answers: an object for each input, or one for many neighbors, with a head or with a line for each. */
  outputs: z.enum(['objects', 'bundles', 'lines']),
  /** Null if inputs are sent one by one. */
  bundle: BundleBounds.nullable(),
  /** The one bundle that a run begins with, if nobody knows yet whether its archive answers any; else null. */
  firstBundle: z
    .object({
      /** Digests of the archive as it was given, and of the way its inputs are sent. */
      archive: z.string(),
      way: z.string(),
      /** Whether its inputs are the pilot's. */
      isPilot: z.boolean(),
      /** Why it has no usable answer, so that this plan sends no bundles; null before that is known. */
      refused: z.string().nullable(),
    })
    .nullable(),
  /** The run that made the predictions; null if this run has jobs of its own. */
  predictions: RunId.nullable(),
  /** The run that has already predicted a sample, which isn't sent again; null if all inputs are this run's. */
  continues: RunId.nullable(),
  /** The random part of the drop that is predicted; null for the whole drop. */
  sample: PlannedSample.nullable(),
  /** Null if all inputs that the run predicts are sent at once. While `sample` isn't null, only part of the drop has been drawn. */
  rounds: PlannedRounds.nullable(),
  /** The engine that carries out the jobs: one member for each. */
  engine: PlannedEngine,
  /** The form in which the model gets records, and in which answers are stored. */
  transform: z.object({
    contentType: z.string(),
    accept: z.string(),
    splitType: z.enum(['None', 'Line', 'RecordIO', 'TFRecord']),
    batchStrategy: z.enum(['SingleRecord', 'MultiRecord']),
    assembleWith: z.enum(['None', 'Line']),
    /** Columns by which tables were opened; null if files are sent as they are. */
    columns: PlannedColumns.nullable(),
    /** JSONPath to the part of each line that is sent; null for all of it. */
    inputFilter: z.string().nullable(),
    /** Size above which objects never reach the model; null if objects are cut into records. */
    largestAllowedBytes: z.int().positive().nullable(),
    kmsKeyArn: z.string().nullable(),
  }),
  labels: z.object({
    task: LabelFacts.shape.task,
    classes: LabelFacts.shape.classes,
    truth: PlannedTruth,
    /** Key of the run's copy of the label file; null if none is read. */
    file: z.string().nullable(),
    /** ETag of the label file, by which a later one is told from it; null if none is read. */
    etag: z.string().nullable(),
    /** Key of the index of its sorted parts; null if none is read. */
    index: z.string().nullable(),
    strict: z.boolean(),
    /** Defects of the labels; null if there are no labels. */
    check: LabelCheck.nullable(),
    /** How they are read; null if there are no labels. */
    reading: LabelReading.nullable(),
    classOffset: LabelFacts.shape.classOffset,
    /** How the model's numbers are read. */
    scores: LabelFacts.shape.scores,
    threshold: LabelFacts.shape.threshold,
    /** Meaning of a single number for a record: the index of its class, or the score of the second of two classes. */
    single: LabelFacts.shape.single,
    ids: LabelFacts.shape.ids,
    /** Whether first labels after the prediction are outcomes that nobody could choose, as pipeline.json states. */
    outcomes: z.boolean(),
    /** Runs that may have answered the same inputs, the oldest first: their labels are those that people had not seen an answer for. */
    since: z.array(RunId),
    /** Whether something may follow from the gate's verdict without a person. If so, it's also judged by the labels of `since`. */
    gateActs: z.boolean(),
  }),
  /** Fields of job.json for which the run is never deployed and never a baseline. */
  judgedByDrop: z.array(z.string()),
  /** Key of the list of contents that do not count in the figures that the gate judges; null if all count. */
  setAside: z.string().nullable(),
  /** `judgingDigest` of pipeline.json. */
  judging: z.string().nullable(),
  report: z.object({
    topK: z.array(z.int().min(1)),
    baseline: PlannedBaseline.nullable(),
    /** Whether the page may carry images and texts of the inputs. */
    images: z.boolean(),
    /** Dimensions by which accuracy is broken down. */
    slices: z.array(Dimension),
    /** Groups of records that are alike; null if all are independent. */
    clusters: Clusters.nullable(),
  }),
  /** The newest run of the pipeline that has ended. */
  previous: z.object({ run: RunId, accuracy: z.number().nullable() }).nullable(),
  gate: ResolvedGate.nullable(),
  endpoint: PlannedEndpoint.nullable(),
  limits: z.object({
    maxCostUsd: z.number().nullable(),
    maxRuntimeMinutes: z.number(),
    /** Inputs without an answer above which gate.maxErrorRate can't be proven; null if that isn't known, or it can't be anyway. */
    mostErrors: z.int().nonnegative().nullable(),
    inputsPerShard: z.int().min(1),
  }),
  cost: z.object({
    /** Null if the price of the instance is not known. */
    quoteUsd: z.number().nullable(),
    /** Price of all instances of one job together. */
    hourlyUsd: z.number().nullable(),
    /** Price of one instance-hour by instance type; null if it is not known. */
    pricesUsd: z.record(z.string(), z.number().nullable()),
    priceTableDate: z.string(),
    /** `table`, or `override` where pipelines/prices.json gave the price. */
    source: z.enum(['table', 'override', 'unknown']),
  }),
  /** Notes on decisions for the reader, in sentences. */
  notes: z.array(z.string()),
  /** Inputs that reach a job. */
  objects: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Size above which inputs are in the last job; null if no job is set apart. */
  outlierBytes: z.number().nullable(),
  /** Keys of the pilot's inputs, in order; empty if there is no such job. */
  pilot: z.array(key),
  /** Inputs of the manifest that reach no job, by reason. */
  excluded: z.object({
    unreadable: z.int().nonnegative(),
    empty: z.int().nonnegative(),
    'too-large': z.int().nonnegative(),
    'key-too-long': z.int().nonnegative(),
  }),
  jobs: z.array(PlannedJob),
});
export type Plan = z.infer<typeof Plan>;
