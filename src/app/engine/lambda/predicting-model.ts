import type { Plan } from '../../../plan/plan.ts';

/** A model that answers requests in the function's own process. */
export interface PredictingModel {
  /** Name and version of the program that runs it, for reports. */
  readonly runtime: string;
  /** Answers a request; the status is of HTTP. */
  answer(request: {
    readonly body: Uint8Array;
    readonly contentType: string;
    readonly accept: string;
  }): Promise<{ readonly status: number; readonly body: Uint8Array | string }>;
}

/**
 * Opens a plan's model, or gives the one that the function has kept.
 *
 * @throws {ModelRefused}
 */
export type OpenModel = (
  model: Pick<Plan['model'], 'sha256' | 'imageUri' | 'environment'>,
) => Promise<PredictingModel>;
