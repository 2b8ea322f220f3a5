import type { RollbackAlarms } from '../../aws/account/rollback-alarms.ts';
import { toDisagreementAlarm } from '../../endpoint/names.ts';
import { fleetOf } from '../../endpoints/kinds.ts';
import { Condition } from '../../problem/conditions.ts';
import type { DeployableRun } from './deployable-run.ts';
import type { NamedContent } from './endpoint-content.ts';

/** The parts of a deployment that decide how its update is guarded. */
interface Guarded {
  readonly endpointName: string;
  readonly deployable: DeployableRun;
  readonly wanted: NamedContent;
}

/** Whether SageMaker guards updates of an endpoint like this: not with an accelerator, and not without instances of its own. */
export function hasGuardrails({ wanted }: Pick<Guarded, 'wanted'>): boolean {
  const { hardware } = wanted.content;
  return fleetOf(hardware)?.acceleratorType === null;
}

/**
 * Refuses a deployment with alarms that ring already, for which SageMaker would undo its update at once, or that are missing.
 *
 * @throws {RollbackAlarmUnready}
 */
export async function requireSilentAlarms(
  { deployable, wanted }: Guarded,
  alarms: RollbackAlarms,
): Promise<void> {
  const { rollbackAlarms } = deployable.planned;
  if (rollbackAlarms.length === 0 || !hasGuardrails({ wanted })) return;
  const judged = new Map((await alarms.judged(rollbackAlarms)).map((alarm) => [alarm.name, alarm]));
  const refuse = (reason: string): never => {
    throw new Condition('RollbackAlarmUnready', `endpoint.rollbackAlarms: ${reason}`);
  };
  for (const name of rollbackAlarms) {
    const found = judged.get(name);
    if (found === undefined)
      refuse(`${name} is not an alarm of this account and region: make it, or leave it out of pipeline.json`);
    else if (found.isRinging)
      refuse(
        `${name} is in ALARM since ${found.since?.toISOString() ?? 'a time that is not known'}: SageMaker would undo the ` +
          'update at once. Deploy again when it is OK',
      );
  }
}

/**
 * The alarms that take an update back: the user's, and during a bake one for the test of the new fleet. Undefined while that one still
 * rings of an update before.
 */
export async function watchedAlarms(
  { endpointName, deployable, wanted }: Guarded,
  alarms: RollbackAlarms,
): Promise<readonly string[] | undefined> {
  const { rollbackAlarms, bakeSeconds } = deployable.planned;
  if (bakeSeconds === 0 || !hasGuardrails({ wanted })) return rollbackAlarms;
  const own = toDisagreementAlarm(endpointName);
  await alarms.watch(own, wanted.configName);
  const [judged] = await alarms.judged([own]);
  return judged?.isRinging === true ? undefined : [...rollbackAlarms, own];
}
