import { join } from 'node:path';
import * as z from 'zod';
import {
  booleanProperty,
  numberProperty,
  parseProperties,
  tagsProperty,
} from '../cloudformation/property-values.ts';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import type { Clock } from '../gateway/clock.ts';
import { jsonService } from '../gateway/json-service.ts';
import type { Service, Site } from '../gateway/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { describeAlarms } from './actions/describe-alarms.ts';
import { Alarm } from './alarm.ts';

/** CloudWatch alarms: recorded and shown, not evaluated. */
export interface Alarms {
  readonly service: Service;
  readonly resources: ResourceTypes;
}

const AlarmProperties = z.strictObject({
  AlarmName: z.string().optional(),
  AlarmDescription: z.string().optional(),
  ActionsEnabled: booleanProperty.optional(),
  AlarmActions: z.array(z.string()).optional(),
  OKActions: z.array(z.string()).optional(),
  InsufficientDataActions: z.array(z.string()).optional(),
  MetricName: z.string().optional(),
  Namespace: z.string().optional(),
  Statistic: z.string().optional(),
  ExtendedStatistic: z.string().optional(),
  Dimensions: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).optional(),
  Period: numberProperty.optional(),
  Unit: z.string().optional(),
  EvaluationPeriods: numberProperty.optional(),
  DatapointsToAlarm: numberProperty.optional(),
  Threshold: numberProperty.optional(),
  ComparisonOperator: z.string().optional(),
  TreatMissingData: z.string().optional(),
  Metrics: z.array(z.unknown()).optional(),
  /** Accepted and not kept. */
  Tags: tagsProperty.optional(),
});

/** Opens the alarms kept in `dir`. */
export function createAlarms({
  dir,
  site,
  clock,
}: {
  readonly dir: string;
  readonly site: Site;
  readonly clock: Clock;
}): Alarms {
  const alarms = openDocuments(join(dir, 'alarms.json'), Alarm);
  return {
    service: jsonService({
      name: 'cloudwatch',
      target: 'GraniteServiceVersion20100801',
      version: '1.0',
      actions: { DescribeAlarms: describeAlarms(alarms) },
    }),
    resources: {
      'AWS::CloudWatch::Alarm': {
        apply: async (properties, { logicalId, stackName }) => {
          const type = 'AWS::CloudWatch::Alarm';
          const { Tags: _, ...parsed } = parseProperties(type, logicalId, AlarmProperties, properties);
          const name = parsed.AlarmName ?? `${stackName}-${logicalId}`;
          const arn = `arn:${site.partition}:cloudwatch:${site.region}:${site.account}:alarm:${name}`;
          alarms.set(name, { name, arn, properties: parsed, updatedMs: clock.now() });
          return { ref: name, attributes: { Arn: arn } };
        },
        remove: async (name) => void alarms.delete(name),
      },
    },
  };
}
