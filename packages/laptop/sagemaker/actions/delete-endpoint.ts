import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { onOne } from '../asked-of-role.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { requireEndpoint } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** While an endpoint is changing to one of these, AWS can't delete it. */
const IN_PROGRESS = new Set(['Creating', 'Updating', 'RollingBack']);

/** Stops an endpoint that is not on its way to another status; it is gone when its containers are. */
export const deleteEndpoint = (state: SageMakerState) =>
  action('DeleteEndpoint', {
    input: z.strictObject({ EndpointName: ResourceName }),
    permissions: onOne(state, 'endpoint'),
    run: ({ EndpointName }) => {
      const { arn, status } = requireEndpoint(state, EndpointName);
      if (IN_PROGRESS.has(status)) throw validationException(`Cannot update in-progress endpoint "${arn}".`);
      // Users of AWS have seen both a refusal and components that outlive their endpoint; the stricter of the two.
      const hosted = [...state.inferenceComponents.values()].filter(
        ({ input }) => input.EndpointName === EndpointName,
      );
      if (hosted.length > 0)
        throw validationException(
          `Cannot delete endpoint "${arn}": delete its inference components first: ` +
            `${hosted.map(({ input }) => input.InferenceComponentName).join(', ')}.`,
        );
      if (status !== 'Deleting') state.hosting.remove(EndpointName);
    },
  });
