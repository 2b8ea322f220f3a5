import type { Frozen } from '../drop/frozen.ts';
import type { Input } from '../input/input.ts';
import type { TalliedLabels } from '../label/label-tally.ts';
import type { PackedPart } from '../label/sorted-labels.ts';
import type { ReadArchive } from '../model/read-archive.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import type { Problem } from '../problem/problem.ts';
import type { RunParts } from '../run/run-id.ts';
import type { PlanSettings } from '../run/stack-settings.ts';
import type { EngineName } from '../transform/engine-settings.ts';
import type { Exclusion } from '../transform/exclusion.ts';
import type { SizeProfile } from '../transform/size-profile.ts';
import type { Bundling } from './engine/first-bundle.ts';
import type { Configuration } from './judge/judge-configuration.ts';
import type { SampledText } from './judge/judge-requests.ts';
import type { DrawnRounds, DrawnSample, Plan, PlannedBaseline } from './plan.ts';

/** A requested run: its frozen drop, and today's configuration. */
export interface Asked {
  readonly run: RunParts;
  /** The application's own bucket. */
  readonly bucket: string;
  readonly settings: PlanSettings;
  readonly frozen: Frozen;
  readonly configuration: Configuration & { readonly config: PipelineConfig };
  /** Problems of the drop's name, its own files, and the text of the configuration. */
  readonly written: readonly Problem[];
  /** The run that this one continues or scores again; null for a run that predicts its drop afresh. */
  readonly original: Original | null;
  /** Knowledge about bundles; null if none would be sent, an earlier run has decided, or archive or image is unknown. */
  readonly bundling: Bundling | null;
  /** The first attempt of the plan; above 1 if the run has made some by a plan before, with bundles that weren't answered. */
  readonly firstAttempt: number;
}

/** An earlier run of the same manifest. Its model and predictions are used again. */
export interface Original {
  readonly purpose: 'continue' | 'rescore';
  readonly plan: Plan;
}

/** The first of the four values of planning: everything that was read for a run. Reading writes nothing, and decides nothing. */
export interface Found extends Asked {
  readonly opened: OpenedInputs;
  readonly model: FoundModel;
  readonly compared: FoundBaseline;
  /** The newest run of the pipeline that has ended. */
  readonly previous: Plan['previous'];
  /** `labels.since` of the plan. */
  readonly since: readonly string[];
  /** Label files of the drop that aren't read, in sentences. */
  readonly unread: readonly string[];
  /** Why functions can't run the model, if PrepareModel has found out. */
  readonly refusal:
    { readonly sha256: string; readonly artifact: string; readonly reason: string } | undefined;
  /** Whether files were still arriving when the drop was frozen. */
  readonly isCutShort: boolean;
  readonly labelFile: FoundLabelFile | null;
  /** The inputs that each engine would send, for the engines that the pipeline allows. */
  readonly inputs: ReadonlyMap<EngineName, FoundInputs>;
}

/** The tars of a drop, opened, or the copies that another run left. */
export interface OpenedInputs {
  /** Key prefix below which jobs find the inputs; null if their names are keys, or they are read from their tars. */
  readonly unpacked: string | null;
  /** Inputs and their bytes, if tars were opened; null if the inputs are the objects of the manifest. */
  readonly work: { readonly objects: number; readonly bytes: number } | null;
  /** US dollars of the copies that were written. */
  readonly usd: number;
  readonly notes: readonly string[];
  /** Why nothing is sent, if most files are of kinds that no model reads. */
  readonly refusal: string | undefined;
  /** The first inputs that can't be read. */
  readonly defects: readonly { readonly name: string; readonly defect: string }[];
}

/** The archive that a run names, as it is now. */
export interface FoundModel {
  readonly artifact: string;
  /** Undefined if there's no archive, or the run may not read it. */
  readonly place?: {
    readonly bucket: string;
    readonly key: string;
    readonly etag: string;
    readonly versionId?: string;
  };
  readonly archive?: ReadArchive;
  readonly problems: readonly Problem[];
}

/** `report.baseline`, resolved for one run. */
export interface FoundBaseline {
  readonly baseline: PlannedBaseline | null;
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

/** The label file of a drop, sorted in memory; without parts if it can't be read. */
export interface FoundLabelFile {
  readonly source: { readonly key: string; readonly etag: string };
  /** File, columns and rows in words. */
  readonly from: string;
  /** Whether it has a column for each class. */
  readonly isOneHot: boolean;
  readonly parts: readonly PackedPart[];
  readonly problems: readonly Problem[];
}

/** Which of all inputs a run predicts, in their order. */
export type PickInputs = <I extends Input>(all: AsyncIterable<I>) => AsyncIterable<I>;

/** The inputs that an engine would send. */
export interface FoundInputs {
  /** The lottery: a sample, a first round, or null for all inputs. */
  readonly drawn: {
    readonly sample: DrawnSample | null;
    readonly rounds?: DrawnRounds;
    readonly problems: readonly Problem[];
    /** Null for all inputs. */
    readonly pick: PickInputs | null;
  };
  readonly profile: InputProfile;
  readonly labels: TalliedLabels | null;
  readonly slices: { readonly problems: readonly Problem[]; readonly notes: readonly string[] };
  /** Texts of a few inputs. */
  readonly texts: readonly SampledText[];
}

/** Summary of the inputs of a run. */
export interface InputProfile {
  /** Sizes of the inputs that go to the model. */
  readonly sent: SizeProfile;
  /** Counts of those that don't. */
  readonly excluded: Readonly<Record<Exclusion, number>>;
  /** A few inputs that go to the model: the first one, then at growing distances. */
  readonly sample: readonly Input[];
  /** Inputs with the content of another one before them. */
  readonly copies: number;
}
