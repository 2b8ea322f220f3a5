import * as z from 'zod';
import { FunctionModel } from '../endpoints/function/function-model.ts';
import { ENDPOINT_KIND_NAMES } from '../endpoints/kind.ts';
import { RunId } from '../run/run-id.ts';
import { TaskName } from '../tasks/task-name.ts';

/** The facts that the prediction API needs about the model behind a production variant. */
export const ServedVariant = z.object({
  /** The newest run of this content. Its labels and kind of request count. */
  run: RunId,
  /** The run that deployed it, or restarted its lifetime. */
  deployedBy: RunId,
  configName: z.string(),
  modelName: z.string(),
  modelSha256: z.string(),
  /** In words, for display. */
  hardware: z.string(),
  kind: z.enum(ENDPOINT_KIND_NAMES),
  /** The inference component with the model, which requests name; null if the production variant has it. */
  component: z.string().nullable(),
  /** The model that the prediction API has a function answer for; null if SageMaker answers. */
  inFunction: FunctionModel.nullable(),
  /** Content-Type and Accept of each request, as batch transform sends them. */
  contentType: z.string(),
  accept: z.string(),
  task: TaskName,
  classes: z.array(z.string()),
  classOffset: z.int(),
  /** Reading of the scores, as in the plan. */
  scores: z.enum(['as-answered', 'logits']),
  threshold: z.number().nullable(),
  single: z.enum(['class', 'score', 'either']),
  ids: z.array(z.int()).optional(),
  /** Cap on the classes that an answer lists, best first. */
  topK: z.int().min(1),
});
export type ServedVariant = z.infer<typeof ServedVariant>;

/**
 * `endpoints/<pipeline>/served.json`: which endpoint serves a pipeline, and the facts of each of its variants. During an update it names
 * both the old and the new variant, so that an answer of either is labeled correctly.
 */
export const Served = z.object({
  schema: z.literal(1),
  pipeline: z.string(),
  endpointName: z.string(),
  /** `creating` before the first variant has passed its smoke test. */
  status: z.enum(['creating', 'in-service', 'deleting']),
  /** Name of the variant that has passed its smoke test; null before there is one. */
  live: z.string().nullable(),
  variants: z.record(z.string(), ServedVariant),
  /** Time of the last deployment, UTC, ISO 8601. */
  deployedAt: z.iso.datetime(),
  /** Null if the endpoint has no limit. */
  expiresAt: z.iso.datetime().nullable(),
  idleHours: z.number().nullable(),
  /** Time at which its end was announced; null before. */
  warnedAt: z.iso.datetime().nullable(),
  /** Why it is to end; null before. */
  warnedOf: z.enum(['expired', 'idle']).nullable(),
  owner: z.string().nullable(),
  autoscaling: z
    .object({ minInstances: z.int(), maxInstances: z.int(), invocationsPerInstance: z.number() })
    .nullable(),
  /** Price of all instances together (with autoscaling, of the fewest); null for endpoints paid by use and if the price isn't known. */
  hourlyUsd: z.number().nullable(),
  /** With autoscaling, the price of its most instances; null without. */
  maxHourlyUsd: z.number().nullable(),
});
export type Served = z.infer<typeof Served>;

/** Facts of the variant that has passed its smoke test; undefined if none has, or no endpoint is known. */
export function liveVariant(
  served: Pick<Served, 'live' | 'variants'> | undefined,
): ServedVariant | undefined {
  return served === undefined || served.live === null ? undefined : served.variants[served.live];
}
