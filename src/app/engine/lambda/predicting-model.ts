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
  /** Starts the archive's script anew; requests under way fail. */
  renewScript(): Promise<void>;
}

/**
 * Opens a plan's model, or returns the one that the function has kept. A script that has answered another job is restarted, since a
 * SageMaker container lives for one job.
 *
 * @param job name of the job that will use it, if it's a job
 * @throws {ModelRefused}
 */
export type OpenModel = (
  model: Pick<Plan['model'], 'sha256' | 'imageUri' | 'environment'>,
  job?: string,
) => Promise<PredictingModel>;

/** Use that a function makes of a model. */
export type FunctionUse = 'run' | 'endpoint';

/**
 * Converts the model that is kept under a digest, and stores what functions open in its place; what the converter of
 * this deployment has stored before is left as it is.
 *
 * @throws {ModelRefused}
 */
export type ConvertModel = (sha256: string, use: FunctionUse) => Promise<void>;
