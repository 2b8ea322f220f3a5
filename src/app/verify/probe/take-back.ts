import { toDisagreementAlarm } from '../../../endpoint/names.ts';
import type { Plan } from '../../../plan/plan.ts';
import { servedJson } from '../../records/endpoint.ts';
import type { VerifyServices } from '../check.ts';
import { lookUntil } from '../look-until.ts';
import { deployAs } from './endpoint.ts';
import { VERIFY_PIPELINE } from './name.ts';

/** Outcome of an update that SageMaker is to take back. */
export interface TakenBack {
  /** Final state of its execution, with error and cause where it has them. */
  readonly execution: string;
  /** Time from the alarm until SageMaker moved; undefined if the update did not bake, or was not taken back. */
  readonly seconds: number | undefined;
}

const REASON = 'inferdrop verify: a test of an update that is taken back. Nothing is wrong.';
const MAX_MS = 60 * 60_000;

/** Updates the verification's endpoint and rings its alarm while the old fleet still waits, as a failed test would. */
export async function takeBack(services: VerifyServices, plan: Plan): Promise<TakenBack> {
  let hasEnded = false;
  const update = deployAs(services, plan, 'take back').finally(() => {
    hasEnded = true;
  });
  const [execution, seconds] = await Promise.all([update, ringOnceBaking(services, () => hasEnded)]);
  return { execution, seconds };
}

async function ringOnceBaking(
  services: VerifyServices,
  hasEnded: () => boolean,
): Promise<number | undefined> {
  const { store, endpoints, rollbackAlarms, clock } = services;
  const served = await servedJson(VERIFY_PIPELINE).require(store);
  const patience = { ...services, maxMs: MAX_MS };
  const baking = await lookUntil(async () => {
    const config = (await endpoints.describe(served.endpointName))?.bakingConfigName;
    return config ?? (hasEnded() ? null : undefined);
  }, patience);
  if (typeof baking !== 'string') return undefined;
  await rollbackAlarms.ring(toDisagreementAlarm(served.endpointName), baking, REASON);
  const since = clock().getTime();
  const end = await lookUntil(async () => {
    const found = await endpoints.describe(served.endpointName);
    return found?.bakingConfigName === undefined ? found : undefined;
  }, patience);
  return end === undefined || end.configName === baking ? undefined : (clock().getTime() - since) / 1000;
}

/** The outcome in words. */
export function toText({ execution, seconds }: TakenBack): string {
  const when =
    seconds === undefined ? 'not taken back' : `taken back ${Math.round(seconds)} seconds after its alarm`;
  return `update ${when} (${execution.split(' ').slice(0, 2).join(' ')})`;
}
