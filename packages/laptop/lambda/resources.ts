import * as z from 'zod';
import { booleanProperty, numberProperty, tagsProperty } from '../cloudformation/property-values.ts';
import { resource } from '../cloudformation/resource.ts';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { requireKnownTarget } from '../events/dispatcher.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RoleSessions, ServiceAccess } from '../kernel/permission.ts';
import type { Site } from '../kernel/service.ts';
import { stableUuid } from '../kernel/stable-uuid.ts';
import { functionArn, parseFunctionReference } from './function-reference.ts';
import { functionResource } from './function-resource.ts';
import type { FunctionStore } from './function-store.ts';
import type { MappingStore } from './mapping-store.ts';

const VersionProperties = z.strictObject({
  FunctionName: z.string(),
  CodeSha256: z.string().optional(),
  Description: z.string().optional(),
});

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

const Destination = z.strictObject({ Destination: z.string() });

const EventInvokeProperties = z.strictObject({
  FunctionName: z.string(),
  Qualifier: z.string(),
  MaximumRetryAttempts: numberProperty.pipe(z.number().int().min(0).max(2)).optional(),
  MaximumEventAgeInSeconds: numberProperty.pipe(z.number().int().min(60).max(21_600)).optional(),
  DestinationConfig: z
    .strictObject({ OnFailure: Destination.optional(), OnSuccess: Destination.optional() })
    .optional(),
});

/** Functions, versions, permissions, event source mappings and event invoke configurations. */
export function lambdaResources(deps: {
  readonly store: FunctionStore;
  readonly mappings: MappingStore;
  readonly site: Site;
  readonly clock: Clock;
  readonly permissions: ResourceTypes;
  readonly access: ServiceAccess;
  readonly refusalOf: RoleSessions['refusal'];
}): ResourceTypes {
  return {
    ...functionResource(deps),
    ...versionResource(deps.store, deps.site),
    ...deps.permissions,
    ...mappingResource(deps.mappings),
    ...eventInvokeResource(deps.store),
  };
}

/** A logical id is one version for ever: another deployment of it publishes nothing new, as in CloudFormation. */
function versionResource(store: FunctionStore, site: Site): ResourceTypes {
  return resource('AWS::Lambda::Version', {
    properties: VersionProperties,
    apply: async ({ FunctionName }, { physicalId }) => {
      const record = store.record(FunctionName);
      const numbers = Object.keys(record.versions).map(Number);
      const published = physicalId === undefined ? undefined : parseFunctionReference(physicalId).qualifier;
      const version = published ?? String(Math.max(0, ...numbers) + 1);
      if (!record.versions[version]) {
        store.put({ ...record, versions: { ...record.versions, [version]: record.latest } });
      }
      const arn = `${functionArn(site, record.name)}:${version}`;
      return { ref: arn, attributes: { Version: version, FunctionArn: arn } };
    },
    // Kept, as the packaged template asks by its deletion policy.
    remove: async () => undefined,
  });
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

function eventInvokeResource(store: FunctionStore): ResourceTypes {
  return resource('AWS::Lambda::EventInvokeConfig', {
    properties: EventInvokeProperties,
    apply: async (parsed) => {
      const record = store.record(parsed.FunctionName);
      const { OnFailure, OnSuccess } = parsed.DestinationConfig ?? {};
      for (const destination of [OnFailure, OnSuccess])
        if (destination) requireKnownTarget(destination.Destination);
      store.put({
        ...record,
        asyncConfig: {
          maximumRetryAttempts: parsed.MaximumRetryAttempts ?? 2,
          maximumEventAgeSeconds: parsed.MaximumEventAgeInSeconds ?? 21_600,
          onFailureArn: OnFailure?.Destination,
          onSuccessArn: OnSuccess?.Destination,
        },
      });
      return { ref: `${record.name}:${parsed.Qualifier}`, attributes: {} };
    },
    remove: async (physicalId) => {
      const name = parseFunctionReference(physicalId).name;
      const record = store.records().find((each) => each.name === name);
      if (!record) return;
      const { asyncConfig: _, ...rest } = record;
      store.put(rest);
    },
  });
}
