import * as z from 'zod';
import { booleanProperty, numberProperty, tagsProperty } from '../cloudformation/property-values.ts';
import { resource } from '../cloudformation/resource.ts';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { stableUuid } from '../kernel/stable-uuid.ts';
import { type FunctionDeps, functionResource } from './function-resource.ts';
import type { MappingStore } from './mapping-store.ts';

const MappingProperties = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: numberProperty.default(10),
  MaximumBatchingWindowInSeconds: numberProperty.default(0),
  Enabled: booleanProperty.default(true),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  StartingPosition: z.never('StartingPosition is not valid for SQS event sources.').optional(),
  ScalingConfig: z.strictObject({ MaximumConcurrency: numberProperty.optional() }).optional(),
  /** Accepted and not kept. */
  Tags: tagsProperty.optional(),
});

/** Functions, permissions and event source mappings. */
export function lambdaResources(
  deps: FunctionDeps & { readonly mappings: MappingStore; readonly permissions: ResourceTypes },
): ResourceTypes {
  return { ...functionResource(deps), ...deps.permissions, ...mappingResource(deps.mappings) };
}

function mappingResource(mappings: MappingStore): ResourceTypes {
  return resource('AWS::Lambda::EventSourceMapping', {
    properties: MappingProperties,
    apply: async (parsed, { logicalId, stackName }) => {
      const uuid = stableUuid(`${stackName}/${logicalId}`);
      await mappings.put({
        uuid,
        queueArn: parsed.EventSourceArn,
        functionTarget: parsed.FunctionName,
        batchSize: parsed.BatchSize,
        windowSeconds: parsed.MaximumBatchingWindowInSeconds,
        enabled: parsed.Enabled,
        reportsItemFailures: parsed.FunctionResponseTypes.length > 0,
        maximumConcurrency: parsed.ScalingConfig?.MaximumConcurrency,
      });
      return { ref: uuid, attributes: { Id: uuid } };
    },
    remove: async (uuid) => mappings.delete(uuid),
  });
}
