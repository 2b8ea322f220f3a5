import type { Clock } from '../../kernel/clock.ts';
import type { AlarmStates } from '../../kernel/ports.ts';
import { EndpointFailure } from './endpoint-failure.ts';
import type { EndpointContent } from './endpoint-record.ts';
import { toTrafficSteps } from './traffic-steps.ts';

/** How often alarms are looked at while the new fleet is watched. */
const WATCH_EVERY_MS = 5_000;

/**
 * Moves the traffic of an endpoint to its new fleet, step by step, and watches the alarms of the deployment meanwhile.
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
  /** Sets the share of the traffic that goes to the new fleet, 0 to 1. */
  readonly shift: (share: number) => void;
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
  const instances = content.variants.reduce((sum, { instanceCount = 1 }) => sum + instanceCount, 0);
  check();
  for (const { share, bakeMs } of toTrafficSteps(content.deployment, instances)) {
    shift(share);
    for (let left = bakeMs; left > 0; left -= WATCH_EVERY_MS) {
      await clock.sleep(Math.min(left, WATCH_EVERY_MS), signal);
      check();
    }
  }
}
