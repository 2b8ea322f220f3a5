import { isDeepStrictEqual } from 'node:util';
import type { PipelineConfig } from '../src/pipeline/pipeline-config.ts';
import { resolveGate } from '../src/pipeline/resolve-gate.ts';
import { valueAt } from '../src/pipeline/schema-node.ts';
import { toShownValue } from '../src/pipeline/shown-value.ts';
import { inert } from '../src/report/text/inert.ts';
import { Refused } from './refused.ts';

/** Most differences that a comment lists. */
const MAX_LISTED = 30;
const JUDGING = ['gate', 'labels', 'report', 'sample'];
/** A pipeline.json that only tries the base's own model: nothing depends on its verdict. */
export function triedBase(base: PipelineConfig): PipelineConfig {
  return { ...harmless(base), gate: null, report: { ...base.report, baseline: null } };
}

/**
 * The base's pipeline.json with the request's model. Rights stay the base's too: a model leaves network isolation only if the base's does.
 *
 * @param other the run of the base's model to compare with, if there is one
 * @throws {Refused} if the base's gate compares and there is no such run: a gate without its comparison would pass more than the base's
 */
export function judgedByBase(
  base: PipelineConfig,
  request: PipelineConfig,
  { other, isDeployed }: { readonly other: string | undefined; readonly isDeployed: boolean },
): PipelineConfig {
  const networkIsolation = base.model.networkIsolation || request.model.networkIsolation;
  return {
    ...harmless(base),
    model: { ...request.model, networkIsolation },
    gate: resolveGate(base),
    limits: smallerLimits(base.limits, request.limits),
    report: { ...base.report, baseline: baselineOf(base, other, isDeployed) },
  };
}

/** Lists a request's changes next to its model, each as a line of Markdown. Nothing in it is markup. */
export function differences(base: PipelineConfig, request: PipelineConfig, used: PipelineConfig): string[] {
  const found = [base, request].flatMap((config) => leaves(config));
  const paths = new Map(found.map((path) => [path.join('\0'), path])).values().toArray();
  const lines = paths.flatMap((path) => {
    const [section = '', field] = path;
    if ((section === 'model' && field !== 'networkIsolation') || section === '$schema') return [];
    // "gate null → {…}" says what its fields would repeat.
    if (
      paths.some((other) => other.length < path.length && other.every((name, depth) => name === path[depth]))
    )
      return [];
    const [before, after] = [valueAt(base, path), valueAt(request, path)];
    if (isDeepStrictEqual(before, after)) return [];
    const isUsed = ['limits', 'model'].includes(section) && isDeepStrictEqual(valueAt(used, path), after);
    const verb = JUDGING.includes(section) ? 'judges' : 'applies';
    const instead = before === undefined ? 'the base sets none' : `the base's ${shown(before)} ${verb}`;
    const outcome = isUsed ? 'used: it is the stricter one' : `not used: ${instead}`;
    return [`- ⚠ ${inert(`${path.join('.')} ${shown(before)} → ${shown(after)} (${outcome})`)}`];
  });
  const more = lines.length - MAX_LISTED;
  return more > 0 ? [...lines.slice(0, MAX_LISTED), `- ⚠ and ${more} more`] : lines;
}

/** Neither deploys nor trains. */
function harmless(base: PipelineConfig): PipelineConfig {
  return { ...base, endpoint: { ...base.endpoint, deploy: 'never' }, training: null };
}

function smallerLimits(
  base: PipelineConfig['limits'],
  request: PipelineConfig['limits'],
): PipelineConfig['limits'] {
  return {
    ...base,
    maxCostUsd: smaller(base.maxCostUsd, request.maxCostUsd),
    maxCostUsdPerDay: smaller(base.maxCostUsdPerDay, request.maxCostUsdPerDay),
    maxDropsPerDay: smaller(base.maxDropsPerDay, request.maxDropsPerDay),
    maxConcurrentRuns: Math.min(base.maxConcurrentRuns, request.maxConcurrentRuns),
    maxRuntimeMinutes: Math.min(base.maxRuntimeMinutes, request.maxRuntimeMinutes),
  };
}

/** Null is no limit. */
function smaller(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function baselineOf(
  { gate, report: { baseline } }: PipelineConfig,
  other: string | undefined,
  isDeployed: boolean,
): string | null {
  if (baseline === null) return null;
  if (baseline !== 'last-passed' && isDeployed) return baseline;
  if (other !== undefined) return other;
  if (gate?.maxAccuracyDrop === undefined) return null;
  throw new Refused(
    isDeployed
      ? `the base's gate compares with its pipeline's ${baseline} run: name that run with against`
      : "the base's gate compares with a run of the base's model, which gave none: the log of the job says why",
  );
}

function leaves(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}

function shown(value: unknown): string {
  return value === undefined ? 'not set' : toShownValue(value);
}
