import * as z from 'zod';
import type { CreateTransformJobInput } from '../transform-job-record.ts';

/** How requests are made, after every source was asked. */
export interface TransformParameters {
  readonly maxConcurrentTransforms: number;
  readonly maxPayloadInMB: number;
  readonly batchStrategy: 'MultiRecord' | 'SingleRecord';
}

const ExecutionParameters = z.object({
  MaxConcurrentTransforms: z.int().min(1).optional(),
  BatchStrategy: z.enum(['MULTI_RECORD', 'SINGLE_RECORD']).optional(),
  MaxPayloadInMB: z.int().min(0).optional(),
});

/**
 * The job's own value comes first, then the container's `/execution-parameters`, then the defaults 1, 6 and MultiRecord.
 *
 * @throws {z.ZodError | SyntaxError} if the container answers 200 with anything else than the parameters
 */
export function resolveParameters(
  input: CreateTransformJobInput,
  answered: string | undefined,
): TransformParameters {
  const own = answered === undefined ? {} : ExecutionParameters.parse(JSON.parse(answered));
  const strategy = own.BatchStrategy === 'SINGLE_RECORD' ? 'SingleRecord' : 'MultiRecord';
  return {
    maxConcurrentTransforms: input.MaxConcurrentTransforms || own.MaxConcurrentTransforms || 1,
    maxPayloadInMB: input.MaxPayloadInMB ?? own.MaxPayloadInMB ?? 6,
    batchStrategy: input.BatchStrategy ?? strategy,
  };
}
