import type { Clock } from '../../kernel/clock.ts';
import type { AlarmStates } from '../../kernel/ports.ts';
import { EndpointFailure } from './endpoint-failure.ts';
import type { EndpointContent } from './endpoint-record.ts';

/** How often alarms are looked at while the new fleet is watched. */
const WATCH_EVERY_MS = 5_000;

/**
 * Moves the traffic of an endpoint to its new fleet all at once, and watches the alarms of the deployment before and for as long as the
 * old fleet is kept.
 *
 * @throws {EndpointFailure} if an alarm goes off
 */
export async function switchTraffic({
  content,
  clock,
  alarms,
  longestWaitMs,
  signal,
  shift,
}: {
  readonly content: EndpointContent;
  readonly clock: Clock;
  readonly alarms: AlarmStates;
  readonly longestWaitMs: number;
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
  check();
  shift();
  const policy = content.deployment?.BlueGreenUpdatePolicy;
  const { WaitIntervalInSeconds = 0 } = policy?.TrafficRoutingConfiguration ?? {};
  const waitMs = 1000 * (WaitIntervalInSeconds + (policy?.TerminationWaitInSeconds ?? 0));
  for (let left = Math.min(waitMs, longestWaitMs); left > 0; left -= WATCH_EVERY_MS) {
    await clock.sleep(Math.min(left, WATCH_EVERY_MS), signal);
    check();
  }
}
