import * as z from 'zod';
import { RunId } from '../run/run-id.ts';

/**
 * `endpoints/<pipeline>/change.json`: the execution that changes a pipeline's endpoint, and the state that it found first. There is at most
 * one, because the file is only ever created where it is absent; the execution removes it at its end.
 */
export const EndpointChange = z.object({
  schema: z.literal(1),
  action: z.enum(['deploy', 'delete']),
  executionArn: z.string(),
  startedAt: z.iso.datetime(),
  /** The run that is deployed; null for a deletion. */
  run: RunId.nullable(),
  endpointName: z.string(),
  /** The configuration that is deployed; null for a deletion. */
  configName: z.string().nullable(),
  /** Configuration that served before; null if nothing did. */
  previousConfigName: z.string().nullable(),
  /** Set before SageMaker is called to change the endpoint, so that a repeated step knows that it may have been called. */
  requested: z.boolean(),
  /**
   * Whether this execution took over the change of a dead one that had called SageMaker to change the endpoint: the serving configuration
   * is then untested, and `previousConfigName` is the one that served before it.
   */
  inherited: z.boolean(),
  /** The endpoint on which the model is tested first; null before SageMaker is called for it, and if nothing serves yet. */
  candidateName: z.string().nullable(),
  /**
   * Time until which a step may still be working, even if its execution has been stopped: no other execution takes the change over before
   * it. Null between steps.
   */
  busyUntil: z.iso.datetime().nullable(),
});
export type EndpointChange = z.infer<typeof EndpointChange>;

/** A change before its first step. */
export type NewChange = Omit<EndpointChange, 'busyUntil' | 'inherited'>;

/** Whether SageMaker may have been called to change the endpoint, by this execution or by the one that it took the change over from. */
export function isServingTouched({
  requested,
  inherited,
}: Pick<EndpointChange, 'requested' | 'inherited'>): boolean {
  return requested || inherited;
}
