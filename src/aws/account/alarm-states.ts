import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { withErrorNames } from '../calls/aws-error.ts';

/** States of CloudWatch alarms. */
export interface AlarmStates {
  /** `OK`, `ALARM` or `INSUFFICIENT_DATA` by the alarm's name, of the first 50 that exist. */
  states(alarms: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Sets the state until the alarm's next evaluation; a change to ALARM or OK carries out the alarm's actions. */
  set(alarm: string, state: 'ALARM' | 'OK', reason: string): Promise<void>;
  /** CloudWatch's history of the alarm's actions since then, newest first. */
  actions(alarm: string, since: Date): Promise<readonly string[]>;
}

/** CloudWatch of the account and region that the environment names. */
export function alarmStates(): AlarmStates {
  const client = new CloudWatchClient();
  return {
    async states(alarms) {
      const { MetricAlarms = [] } = await withErrorNames(
        client.send(new DescribeAlarmsCommand({ AlarmNames: [...alarms] })),
      );
      return new Map(MetricAlarms.map(({ AlarmName = '', StateValue = '' }) => [AlarmName, StateValue]));
    },
    async set(AlarmName, StateValue, StateReason) {
      await withErrorNames(client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason })));
    },
    async actions(AlarmName, StartDate) {
      const { AlarmHistoryItems = [] } = await withErrorNames(
        client.send(new DescribeAlarmHistoryCommand({ AlarmName, HistoryItemType: 'Action', StartDate })),
      );
      return AlarmHistoryItems.map(({ HistorySummary = '' }) => HistorySummary);
    },
  };
}
