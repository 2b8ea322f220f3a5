import type { Clock } from '../../kernel/clock.ts';
import type { AlarmStates } from '../../kernel/ports.ts';
import { EndpointFailure } from './endpoint-failure.ts';
import type { EndpointContent } from './endpoint-record.ts';

/** How often alarms are looked at while the new fleet is watched. */
const WATCH_EVERY_MS = 5_000;

/**
 * Moves the traffic of an endpoint to its new fleet all at once, and watches the alarms of the deployment before and for its
 * waiting interval after.
 *
 * @throws {EndpointFailure} if an alarm goes off
 */
export async function switchTraffic({
  content,
  clock,
  alarms,
  signal,
  shift,
}: {
  readonly content: EndpointContent;
  readonly clock: Clock;
  readonly alarms: AlarmStates;
  readonly signal: AbortSignal;
  /** Sends the traffic to the new fleet. */
  readonly shift: () => void;
}): Promise<void> {
  const names = (content.deployment?.AutoRollbackConfiguration?.Alarms ?? []).map(
    ({ AlarmName }) => AlarmName,
  );
  const check = (): void => {
    const ringing = names.filter((name) => alarms.stateOf(name) === 'ALARM');
    if (ringing.length === 0) return;
    throw new EndpointFailure(
      `The deployment was rolled back because alarms of its AutoRollbackConfiguration are in ALARM: ${ringing.join(', ')}`,
    );
  };
  const routing = content.deployment?.BlueGreenUpdatePolicy?.TrafficRoutingConfiguration;
  check();
  shift();
  for (let left = (routing?.WaitIntervalInSeconds ?? 0) * 1000; left > 0; left -= WATCH_EVERY_MS) {
    await clock.sleep(Math.min(left, WATCH_EVERY_MS), signal);
    check();
  }
}
