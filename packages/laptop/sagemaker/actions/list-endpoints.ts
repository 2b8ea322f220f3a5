import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { EndpointStatus } from '../endpoint/endpoint-record.ts';
import { ListChangingInput, listPage } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Endpoints, by default newest first, ten at a time. */
export const listEndpoints = (state: SageMakerState) =>
  action('ListEndpoints', {
    input: ListChangingInput.extend({
      StatusEquals: z
        .enum([...EndpointStatus.options, 'OutOfService', 'SystemUpdating', 'UpdateRollbackFailed'])
        .optional(),
    }),
    permissions: onAll,
    run: (input) => {
      const endpoints = [...state.endpoints.values()].filter(
        ({ status }) => status === (input.StatusEquals ?? status),
      );
      const page = listPage(endpoints, input, (endpoint) => endpoint);
      return {
        Endpoints: page.items.map((one) => ({
          EndpointName: one.name,
          EndpointArn: one.arn,
          CreationTime: new Date(one.creationTimeMs),
          LastModifiedTime: new Date(one.lastModifiedTimeMs),
          EndpointStatus: one.status,
        })),
        NextToken: page.nextToken,
      };
    },
  });
