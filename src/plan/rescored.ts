import type { ResolvedGate } from '../pipeline/gate-settings.ts';
import { resolveGate } from '../pipeline/resolve-gate.ts';
import { USD_PER_READ, USD_PER_WRITE } from '../price/request-prices.ts';
import { roundUsd } from '../price/round-usd.ts';
import type { Problem } from '../problem/problem.ts';
import { engineRules } from '../transform/engine-rules.ts';
import type { Configuration } from './judge/judge-configuration.ts';
import type { Plan } from './plan.ts';

/** Objects that a run writes besides the tally and the rows of each shard. */
const WRITES_OF_RUN = 30;

/** Today's configuration with the model and the transform settings that made a run's predictions. */
export function forRescore(
  configuration: Configuration,
  { model, engine, transform, sample, rounds }: Plan,
): Configuration {
  const { config } = configuration;
  if (config === undefined) return configuration;
  const { framework, frameworkVersion, environment, networkIsolation } = model;
  const { contentType, accept, splitType, batchStrategy, assembleWith, inputFilter } = transform;
  return {
    ...configuration,
    config: {
      ...config,
      // The rounds of a run that was decided early are no sample that today's files ask for.
      sample: rounds === null ? sample : null,
      // Today's sample makes today's gate strict, even if the run has all inputs.
      gate: judgingAll(resolveGate({ ...config, sample: sample ?? config.sample })),
      model: { ...config.model, framework, frameworkVersion, environment, networkIsolation },
      columns: transform.columns,
      transform: {
        ...config.transform,
        engine: engine.name,
        ...engineRules(engine).asked(engine),
        contentType,
        accept,
        splitType,
        batchStrategy,
        assembleWith,
        inputFilter,
      },
    },
  };
}

/** A gate that judges the predictions that there are: no further round is sent. */
function judgingAll(gate: ResolvedGate | null): ResolvedGate | null {
  return gate && { ...gate, decide: 'all' };
}

/** Problems of settings that need other predictions. */
export function rescoreProblems(
  { config, labelsFile }: Pick<Configuration, 'config' | 'labelsFile'>,
  { run, labels }: Plan,
): Problem[] {
  const truth = config?.labels.truth;
  if (config !== undefined && config.labels.task !== labels.task) {
    const message =
      `must be of the task ${JSON.stringify(labels.task)}, as ${run} had it: a rescore reads the answers as that run did. ` +
      `inferdrop rerun ${run} reads them anew`;
    return [{ file: labelsFile, field: 'labels', value: JSON.stringify(config.labels.task), message }];
  }
  if (
    (truth?.from === 'member' || truth?.from === 'column' || truth?.from === 'record') &&
    JSON.stringify(truth) !== JSON.stringify(labels.truth)
  ) {
    const message =
      `must be ${JSON.stringify(labels.truth)}, as ${run} had it: labels of members, columns and records are read when ` +
      `a file is opened. inferdrop rerun ${run} opens them again`;
    return [{ file: labelsFile, field: 'labels.truth', value: JSON.stringify(truth), message }];
  }
  return [];
}

/**
 * The plan of a run that scores the predictions of another one again: the parts that made them are the other run's, the rest
 * is today's.
 */
export function rescoredPlan(today: Plan, original: Plan): Plan {
  const { model, engine, transform, outputs, bundle, continues, sample } = original;
  const { objects, bytes, outlierBytes, pilot, excluded, jobs } = original;
  const rounds = original.rounds && { ...original.rounds, isOpen: false };
  const { single, ids } = original.labels;
  return {
    ...today,
    model,
    engine,
    transform,
    outputs,
    bundle,
    continues,
    sample,
    objects,
    bytes,
    outlierBytes,
    pilot,
    excluded,
    jobs,
    rounds,
    labels: { ...today.labels, single, ids },
    predictions: original.run,
    cost: { ...today.cost, hourlyUsd: null },
  };
}

/** The plan of a run that predicts what another one has not drawn: by the other run's model, and all else is today's. */
export function continuedPlan(today: Plan, original: Plan): Plan {
  const { model, transform, outputs, bundle } = original;
  return {
    ...today,
    model,
    transform,
    outputs,
    bundle,
    labels: { ...today.labels, single: original.labels.single, ids: original.labels.ids },
    continues: original.run,
  };
}

/**
 * Quote of a rescore in US dollars: a read for each answer, a read and two writes for each shard, and the run's own files.
 *
 * @param copyingUsd US dollars of the copies of inputs that were written again
 */
export function quoteRequests(
  { objects, limits }: Pick<Plan, 'objects'> & { readonly limits: Pick<Plan['limits'], 'inputsPerShard'> },
  copyingUsd: number,
): number {
  const shards = Math.ceil(objects / limits.inputsPerShard);
  const usd = (objects + shards) * USD_PER_READ + (2 * shards + WRITES_OF_RUN) * USD_PER_WRITE + copyingUsd;
  return roundUsd(usd);
}
