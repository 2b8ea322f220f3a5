import * as z from 'zod';
import { RunId } from '../run/run-id.ts';

/**
 * `endpoints/<pipeline>/change.json`: the execution that changes a pipeline's endpoint, and what it found. There is at
 * most one, because the file is only ever created where it is absent; the execution removes it at its end.
 */
export const EndpointChange = z.object({
  schema: z.literal(1),
  action: z.enum(['deploy', 'delete']),
  executionArn: z.string(),
  startedAt: z.iso.datetime(),
  /** The run that is deployed; null for a deletion, and for changes that the release before began. */
  run: RunId.nullable().default(null),
  endpointName: z.string(),
  /** The configuration that is deployed; null for a deletion. */
  configName: z.string().nullable(),
  /** What served before; null where nothing did. */
  previousConfigName: z.string().nullable(),
  /** Set before SageMaker is asked to change what serves, so that a repeated step knows that it may have been. */
  requested: z.boolean(),
  /**
   * Whether an execution that died had asked SageMaker to change what serves, and this one took its change over: what is found then was
   * never tested, and `previousConfigName` is what served before that.
   */
  inherited: z.boolean().default(false),
  /** The endpoint on which the model is tested first; null before SageMaker is asked for it, and where nothing serves yet. */
  candidateName: z.string().nullable().default(null),
  /**
   * Until when a step may still be at work on it, though its execution may have been stopped: no other execution takes the change over
   * before. Null between steps.
   */
  busyUntil: z.iso.datetime().nullable().default(null),
});
export type EndpointChange = z.infer<typeof EndpointChange>;

/** A change that no step is at work on yet. */
export type NewChange = Omit<EndpointChange, 'busyUntil' | 'inherited'>;

/** Whether SageMaker may have been asked to change what serves, by this execution or by the one whose change it took over. */
export function isServingTouched({
  requested,
  inherited,
}: Pick<EndpointChange, 'requested' | 'inherited'>): boolean {
  return requested || inherited;
}
