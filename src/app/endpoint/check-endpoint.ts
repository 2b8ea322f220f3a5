import * as z from 'zod';
import type { InferenceComponents } from '../../aws/sagemaker/components.ts';
import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import { type EndpointState, isUnderWay, judgeProgress, pollSeconds } from '../../endpoint/progress.ts';
import { useCase } from '../use-case.ts';

interface CheckEndpointServices {
  readonly endpoints: Pick<Endpoints, 'describe'>;
  readonly components: Pick<InferenceComponents, 'describe'>;
}

/** States `CheckEndpoint`, `CheckRollBack` and `CheckDeletion`: whether SageMaker has finished. */
export const checkEndpoint = useCase({
  /** Sent by the states named below with the endpoint that the state before them has asked for; `poll` counts the checks so far. */
  input: z.object({
    endpointName: z.string(),
    /** The configuration, or the inference component of its name, that is to serve; null if the endpoint is to be deleted. */
    configName: z.string().nullable(),
    poll: z.int().nonnegative(),
  }),
  /**
   * `waiting` and `baking` are checked again after `waitSeconds`, at most 30: what bakes can be tested meanwhile. The `reason` of `failed`
   * goes into the message.
   */
  output: z.discriminatedUnion('status', [
    z.object({
      status: z.enum(['waiting', 'baking']),
      endpointStatus: z.string(),
      waitSeconds: z.number(),
      poll: z.int(),
    }),
    z.object({ status: z.literal('reached') }),
    z.object({ status: z.literal('failed'), reason: z.string() }),
  ]),
})(async ({ endpointName, configName, poll }, services: CheckEndpointServices) => {
  const progress = judgeProgress({ configName }, await describe(endpointName, configName, services));
  if (progress.status === 'reached' || progress.status === 'failed') return progress;
  return { ...progress, waitSeconds: pollSeconds(poll), poll: poll + 1 };
});

/** An endpoint; one that hosts inference components is as far as the component that is to serve. */
async function describe(
  endpointName: string,
  configName: string | null,
  { endpoints, components }: CheckEndpointServices,
): Promise<EndpointState | undefined> {
  const found = await endpoints.describe(endpointName);
  if (found?.hostsComponents !== true || configName === null || isUnderWay(found)) return found;
  const component = await components.describe(configName);
  return component && { ...component, configName };
}
