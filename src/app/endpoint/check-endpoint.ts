import * as z from 'zod';
import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import { judgeProgress, pollSeconds } from '../../endpoint/progress.ts';
import { useCase } from '../use-case.ts';

interface CheckEndpointServices {
  readonly endpoints: Pick<Endpoints, 'describe'>;
}

/** States `CheckEndpoint`, `CheckRollBack` and `CheckDeletion`: whether SageMaker has finished. */
export const checkEndpoint = useCase({
  /** Sent by the states named below with the endpoint that the state before them has asked for; `poll` counts the checks so far. */
  input: z.object({
    endpointName: z.string(),
    /** The configuration that is to serve; null if the endpoint is to be deleted. */
    configName: z.string().nullable(),
    poll: z.int().nonnegative(),
  }),
  /** `waiting` is checked again after `waitSeconds`, at most 30; the `reason` of `failed` goes into the message. */
  output: z.discriminatedUnion('status', [
    z.object({
      status: z.literal('waiting'),
      endpointStatus: z.string(),
      waitSeconds: z.number(),
      poll: z.int(),
    }),
    z.object({ status: z.literal('reached') }),
    z.object({ status: z.literal('failed'), reason: z.string() }),
  ]),
})(async ({ endpointName, configName, poll }, { endpoints }: CheckEndpointServices) => {
  const progress = judgeProgress({ configName }, await endpoints.describe(endpointName));
  if (progress.status !== 'waiting') return progress;
  return { ...progress, waitSeconds: pollSeconds(poll), poll: poll + 1 };
});
