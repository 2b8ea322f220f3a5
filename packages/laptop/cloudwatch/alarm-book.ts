import type { Clock } from '../kernel/clock.ts';
import type { Site } from '../kernel/service.ts';
import type { Documents } from '../storage/document-file.ts';
import type { Alarm } from './alarm.ts';
import { type AlarmState, type AlarmVerdict, evaluateAlarm } from './evaluate-alarm.ts';
import type { MetricStore } from './metric-store.ts';

/** The alarms of the stack. They are evaluated on each read, not by a timer. */
export interface AlarmBook {
  arnOf(name: string): string;
  put(name: string, properties: Readonly<Record<string, unknown>>): Alarm;
  delete(name: string): void;
  get(name: string): Alarm | undefined;
  values(): IterableIterator<Alarm>;
  judge(alarm: Alarm): AlarmVerdict;
  /** Whether an enabled alarm with this action ARN is in ALARM. */
  isRinging(actionArn: string): boolean;
  /** Stands for a minute, or the alarm's own period if that is longer. */
  force(alarm: Alarm, state: AlarmState, reason: string): void;
}

/** Alarms over documents and metrics. */
export function createAlarmBook(options: {
  readonly alarms: Documents<Alarm>;
  readonly store: MetricStore;
  readonly clock: Clock;
  readonly site: Site;
}): AlarmBook {
  const { alarms, store, clock, site } = options;
  const judge = (alarm: Alarm): AlarmVerdict =>
    alarm.forced && clock.now() < alarm.forced.untilMs
      ? alarm.forced
      : evaluateAlarm(alarm, store, clock.now());
  const arnOf = (name: string): string =>
    `arn:${site.partition}:cloudwatch:${site.region}:${site.account}:alarm:${name}`;
  return {
    arnOf,
    put(name, properties) {
      const alarm: Alarm = { name, arn: arnOf(name), properties: { ...properties }, updatedMs: clock.now() };
      alarms.set(name, alarm);
      return alarm;
    },
    delete: (name) => void alarms.delete(name),
    get: (name) => alarms.get(name),
    values: () => alarms.values(),
    judge,
    isRinging: (actionArn) =>
      [...alarms.values()].some((alarm) => {
        const { ActionsEnabled = true, AlarmActions } = alarm.properties;
        return (
          ActionsEnabled === true &&
          Array.isArray(AlarmActions) &&
          AlarmActions.includes(actionArn) &&
          judge(alarm).state === 'ALARM'
        );
      }),
    force(alarm, state, reason) {
      const period = Number(alarm.properties['Period'] ?? 60);
      const untilMs = clock.now() + Math.max(60, Number.isFinite(period) ? period : 60) * 1000;
      alarms.set(alarm.name, { ...alarm, forced: { state, reason, untilMs } });
    },
  };
}
