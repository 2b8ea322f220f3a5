import { join } from 'node:path';
import * as z from 'zod';
import { tagsProperty } from '../cloudformation/property-values.ts';
import { resource } from '../cloudformation/resource.ts';
import { jsonService } from '../kernel/json-service.ts';
import type { ServiceAccess } from '../kernel/permission.ts';
import type { AlarmActions, AlarmStates, TopicPublisher } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { alarmActions } from './actions/alarms.ts';
import { metricActions } from './actions/metrics.ts';
import { Alarm, AlarmProperties } from './alarm.ts';
import { createAlarmBook } from './alarm-book.ts';
import { checkAlarm } from './check-alarm.ts';
import { checkDashboard } from './dashboard-body.ts';
import { judgeActions } from './judge-actions.ts';
import { MetricStore } from './metric-store.ts';

/** A dashboard is checked and not kept: there is nothing on this machine that draws it. */
const DashboardProperties = z.strictObject({
  DashboardName: z
    .string()
    .regex(/^[-\w]{1,255}$/, 'must be 1 to 255 of A-Z a-z 0-9 - _')
    .optional(),
  DashboardBody: z.string(),
  Tags: tagsProperty.optional(),
});

/** CloudWatch: metrics of the stack's own services and of its users, and alarms on them. */
export type CloudWatch = ReturnType<typeof createCloudWatch>;

/** Opens what is kept in `dir`. */
export function createCloudWatch(options: ServiceBase) {
  const { dir, site, clock } = options;
  const store = new MetricStore({ dir, clock });
  const alarms = createAlarmBook({
    alarms: openDocuments(join(dir, 'alarms.json'), Alarm),
    store,
    clock,
    site,
  });
  return {
    service: jsonService({
      name: 'cloudwatch',
      target: 'GraniteServiceVersion20100801',
      version: '1.0',
      actions: [...alarmActions(alarms), ...metricActions(store)],
      close: () => store.close(),
    }),
    metrics: store,
    alarms: {
      stateOf(name) {
        const alarm = alarms.get(name);
        return alarm && alarms.judge(alarm).state;
      },
    } satisfies AlarmStates,
    alarmActions: { isRinging: (arn) => alarms.isRinging(arn) } satisfies AlarmActions,
    /** Why the actions of its alarms would fail, a line each. */
    judgeActions: (topics: Pick<TopicPublisher, 'permissions'>, access: ServiceAccess): string[] =>
      judgeActions(alarms.values(), topics, access),
    resources: {
      ...resource('AWS::CloudWatch::Dashboard', {
        properties: DashboardProperties,
        apply: async ({ DashboardName, DashboardBody }, { logicalId, stackName }) => {
          checkDashboard(DashboardBody);
          return { ref: DashboardName ?? `${stackName}-${logicalId}`, attributes: {} };
        },
        remove: async () => undefined,
      }),
      ...resource('AWS::CloudWatch::Alarm', {
        properties: AlarmProperties,
        apply: async ({ Tags: _, ...parsed }, { logicalId, stackName }) => {
          checkAlarm(parsed);
          const { name, arn } = alarms.put(parsed.AlarmName ?? `${stackName}-${logicalId}`, parsed);
          return { ref: name, attributes: { Arn: arn } };
        },
        remove: async (name) => alarms.delete(name),
      }),
    },
  };
}
