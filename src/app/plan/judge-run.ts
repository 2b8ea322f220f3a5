import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import type { Sending } from '../../plan/engine-planning.ts';
import type { Configuration, JudgedConfiguration } from '../../plan/judge-configuration.ts';
import { eachOnce, judgeFindings } from '../../plan/judge-findings.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Problem } from '../../problem/problem.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { PlanSettings } from '../../run/stack-settings.ts';
import { gatherFindings, type Sources } from './gather-findings.ts';
import { noteUnreadLabels } from './unread-labels.ts';

/** Services and settings of the planning; the role of `settings` is the one that the model runs under. */
export interface PlanServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
  readonly settings: PlanSettings;
}

/** A run that today's configuration decides on. */
export interface AskedRun {
  readonly run: RunParts;
  readonly frozen: Frozen;
  readonly configuration: Configuration;
  readonly written: readonly Problem[];
}

/** Reads what a run is planned from, and judges it: the facts of its plan, and all problems at once. */
export async function judgeRun(
  { run, frozen, written }: Pick<AskedRun, 'run' | 'frozen' | 'written'>,
  {
    configuration,
    original,
    ...rest
  }: {
    readonly configuration: JudgedConfiguration;
    /** The plan of the run whose predictions are used again. */
    readonly original?: Plan;
    readonly continues?: RunParts;
    /** Key prefix below which jobs find the inputs, where their names are not their keys. */
    readonly unpacked: string | null;
    readonly sending: Sending;
  },
  { store, settings }: PlanServices,
) {
  const { continues = null, unpacked, sending } = rest;
  const sources: Sources = { configuration, frozen, continues, unpacked, sending };
  const [findings, unread] = await Promise.all([
    gatherFindings(store, run, sources, settings.readBuckets, original),
    noteUnreadLabels(store, run, configuration.config.labels.truth),
  ]);
  const judged = judgeFindings(configuration, findings, {
    region: settings.region,
    hasVpc: settings.vpc !== null,
  });
  return {
    sources,
    problems: eachOnce([...written, ...configuration.further, ...judged.problems]),
    facts: {
      ...{ run, bucket: store.bucket, settings, frozen, unpacked, sending },
      ...{ configuration, findings, judged, unread },
    },
  };
}
