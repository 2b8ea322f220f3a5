import { EndpointSettings } from '../pipeline/endpoint-settings.ts';
import type { AskedEndpoint, RefuseField } from './planning.ts';

const UNSET = EndpointSettings.parse({});

/** A period of CloudWatch alarms. */
const ALARM_SECONDS = 60;

/** Refuses alarms that cannot ring in time. */
export function refuseLateAlarms({ config: { endpoint } }: AskedEndpoint, refuse: RefuseField): void {
  const { rollbackAlarms, bakeSeconds } = endpoint;
  if (rollbackAlarms.length === 0 || bakeSeconds >= ALARM_SECONDS) return;
  const message =
    `must be at least ${ALARM_SECONDS} if endpoint.rollbackAlarms names alarms, which are judged once a minute; ` +
    `it is ${bakeSeconds}`;
  refuse('bakeSeconds', bakeSeconds, message);
}

/** Refuses the settings of SageMaker's deployment guardrails for an endpoint without them; `excluded` says why. */
export function refuseGuardrails(
  { config: { endpoint } }: AskedEndpoint,
  excluded: string,
  refuse: RefuseField,
): void {
  const { rollbackAlarms, bakeSeconds } = endpoint;
  const message = `cannot be with ${excluded}: leave it out`;
  if (rollbackAlarms.length > 0) refuse('rollbackAlarms', rollbackAlarms, message);
  if (bakeSeconds !== UNSET.bakeSeconds) refuse('bakeSeconds', bakeSeconds, message);
}
