import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import type { PriceOverride } from '../../price/price-override.ts';
import type { Problem } from '../../problem/problem.ts';
import type { EngineSettings } from '../../transform/engine-settings.ts';
import type { MeasuredSpeed } from '../../transform/measured-speed.ts';
import type { Plan, PlannedJob } from '../plan.ts';
import type { ResolvedPrices } from '../quote/resolve-cost.ts';

/** A configuration, and further facts for the judgment of its engine. */
interface AskedEngine {
  readonly config: PipelineConfig;
  readonly region: string;
  readonly prices: PriceOverride | undefined;
  /** Problems of the fields themselves: settings that depend on such a field are judged once it is corrected. */
  readonly wrong: readonly Problem[];
}

/** An engine's judgment of a configuration. */
interface JudgedEngine {
  /** The container; undefined if there are problems. */
  readonly imageUri: string | undefined;
  readonly prices: ResolvedPrices;
  /** Why model or settings cannot run here, each with its remedy. */
  readonly problems: readonly Problem[];
}

/** Why an engine can't serve an archive: a sentence with its remedies, and the reason if another engine may be taken instead. */
export type ArchiveProblem = Pick<Problem, 'message' | 'reason'>;

/** Inputs of one or more jobs. */
export interface PlannedWork {
  readonly objects: number;
  readonly bytes: number;
}

/** A job, or several like it, with the time that it is quoted at. */
interface QuotedJob extends PlannedWork {
  readonly engine: EngineSettings;
  readonly quotedSeconds: number;
}

/** The fields of a plan about bundles. */
export type Sending = Pick<Plan, 'outputs' | 'bundle'>;

/** Decisions of PlanRun that depend on the engine, before anything is called and money is spent. */
export interface EnginePlanning {
  /** Name of the check of `inferdrop verify` that tries it in an account. */
  readonly liveCheck: string;
  judge(asked: AskedEngine): JudgedEngine;
  /** Why an archive cannot be served here, although its container takes it, by the reasons why a function cannot run it. */
  archiveProblems(functionReasons: readonly string[]): readonly ArchiveProblem[];
  /** The settings of a job by its largest input, with measurements from such jobs, and sentences about lowered values. */
  jobSettings(
    config: PipelineConfig,
    largestBytes: number,
    speeds: readonly MeasuredSpeed[],
    bundle?: Plan['bundle'],
  ): { readonly settings: EngineSettings; readonly notes: readonly string[] };
  /**
   * How inputs are sent and answers are stored: one by one, or in bundles, by the files of the whole run. `refused` says why
   * the archive is sent no bundles.
   */
  sending(
    config: PipelineConfig,
    work: PlannedWork,
    speeds: readonly MeasuredSpeed[],
    refused?: string,
  ): Sending & { readonly notes: readonly string[] };
  /** Whether the usual inputs go faster if those above a size are in a job of their own. */
  gainsApart(
    config: PipelineConfig,
    usualBytes: number,
    largestBytes: number,
    bundle?: Plan['bundle'],
  ): boolean;
  /** Bytes beyond which an input never reaches the model; null if inputs are cut into records. */
  largestAllowedBytes(config: PipelineConfig, bundle?: Plan['bundle']): number | null;
  /** Inputs a second that a quote expects of a job. */
  speed(settings: EngineSettings): number;
  /** Settings that quote with the measured throughput. */
  withSpeed(settings: EngineSettings, inputsPerSecond: number): EngineSettings;
  quoteSeconds(work: PlannedWork, settings: EngineSettings): number;
  /** Largest number of inputs in one job, if all are like `work`. */
  objectsOfJob(work: PlannedWork, settings: EngineSettings): number;
  /** Inputs of the first round of a run that is decided early: their work costs as much as the start of their job. */
  objectsOfRound(work: PlannedWork, settings: EngineSettings): number;
  /** Quote of jobs in US dollars; null if a price is not known. */
  quoteUsd(prices: Pick<ResolvedPrices, 'pricesUsd'>, jobs: readonly QuotedJob[]): number | null;
  /** Price of an hour in US dollars; null if it is not known. */
  hourlyUsd(config: PipelineConfig, prices: ResolvedPrices): number | null;
  /** The engine's part of the plan. */
  plan(config: PipelineConfig, jobs: readonly PlannedJob[]): Plan['engine'];
}
