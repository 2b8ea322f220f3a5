import * as z from 'zod';
import { numberProperty, tagsProperty } from '../cloudformation/property-values.ts';
import { resource } from '../cloudformation/resource.ts';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import type { Site } from '../kernel/service.ts';
import { logGroupArn } from './log-arn.ts';
import type { LogStore } from './log-store.ts';

const LogGroupProperties = z.strictObject({
  LogGroupName: z.string().optional(),
  RetentionInDays: numberProperty.optional(),
  /** Recorded by AWS, without meaning on one machine. */
  KmsKeyId: z.string().optional(),
  LogGroupClass: z.literal('STANDARD').optional(),
  Tags: tagsProperty.optional(),
});

/** `AWS::Logs::LogGroup`. A group that a later template no longer has keeps its events, for reading after the end. */
export function logResources(store: LogStore, site: Site): ResourceTypes {
  return resource('AWS::Logs::LogGroup', {
    properties: LogGroupProperties,
    apply: async (parsed, { logicalId, physicalId, stackName }) => {
      const name = parsed.LogGroupName ?? physicalId ?? `${stackName}-${logicalId}`;
      store.putGroup(name, parsed.RetentionInDays);
      return { ref: name, attributes: { Arn: `${logGroupArn(site, name)}:*` } };
    },
    remove: async () => undefined,
  });
}
