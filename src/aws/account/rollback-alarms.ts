import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  DescribeAlarmsCommand,
  PutMetricAlarmCommand,
  PutMetricDataCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { unlessGone, withErrorNames } from '../calls/aws-error.ts';

/** An alarm as CloudWatch has judged it. */
interface JudgedAlarm {
  readonly name: string;
  readonly isRinging: boolean;
  /** When it last changed its state. */
  readonly since: Date | undefined;
}

/** Alarms by which SageMaker takes updates of endpoints back: the user's, and one that the application rings itself. */
export interface RollbackAlarms {
  /** The alarms of these names that exist, at most 50. */
  judged(names: readonly string[]): Promise<readonly JudgedAlarm[]>;
  /** Makes the application's own alarm about an endpoint's next configuration; one of that name then watches this configuration. */
  watch(alarm: string, configName: string): Promise<void>;
  /** Rings it; a missing alarm is left alone. */
  ring(alarm: string, configName: string, reason: string): Promise<void>;
  delete(alarm: string): Promise<void>;
}

const METRIC = 'TestDisagreements';
const toDimensions = (configName: string) => [{ Name: 'EndpointConfigName', Value: configName }];

let client: CloudWatchClient | undefined;

const open = (): CloudWatchClient => (client ??= new CloudWatchClient());

/** Deletes alarms of the account and region that the environment names; a missing one is no error. */
export function endedAlarms(): Pick<RollbackAlarms, 'delete'> {
  return { delete: (alarm) => unlessGone(open().send(new DeleteAlarmsCommand({ AlarmNames: [alarm] }))) };
}

/** CloudWatch of the account and region that the environment names, with metrics in one namespace; the client is built on first use. */
export function rollbackAlarms(namespace: string): RollbackAlarms {
  return {
    ...endedAlarms(),
    async judged(names) {
      const AlarmTypes = ['MetricAlarm' as const, 'CompositeAlarm' as const];
      const { MetricAlarms = [], CompositeAlarms = [] } = await withErrorNames(
        open().send(new DescribeAlarmsCommand({ AlarmNames: [...names], AlarmTypes })),
      );
      return [...MetricAlarms, ...CompositeAlarms].map(
        ({ AlarmName = '', StateValue, StateUpdatedTimestamp: since }) => ({
          name: AlarmName,
          isRinging: StateValue === 'ALARM',
          since,
        }),
      );
    },
    async watch(AlarmName, configName) {
      await withErrorNames(
        open().send(
          new PutMetricAlarmCommand({
            AlarmName,
            AlarmDescription:
              'Real-time answers of the new model differ from the judged ones: SageMaker takes the update back.',
            Namespace: namespace,
            MetricName: METRIC,
            Dimensions: toDimensions(configName),
            Statistic: 'Sum',
            Period: 60,
            // One data point rings for five minutes, however late SageMaker looks.
            EvaluationPeriods: 5,
            DatapointsToAlarm: 1,
            Threshold: 0,
            ComparisonOperator: 'GreaterThanThreshold',
            TreatMissingData: 'notBreaching',
          }),
        ),
      );
    },
    async ring(AlarmName, configName, StateReason) {
      // The state holds until the next evaluation, which then finds the data point.
      const datum = { MetricName: METRIC, Dimensions: toDimensions(configName), Value: 1 };
      await withErrorNames(
        open().send(new PutMetricDataCommand({ Namespace: namespace, MetricData: [datum] })),
      );
      const state = { AlarmName, StateValue: 'ALARM' as const, StateReason };
      await unlessGone(open().send(new SetAlarmStateCommand(state)));
    },
  };
}
