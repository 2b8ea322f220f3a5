import { toDisagreementAlarm } from '../../../endpoint/names.ts';
import type { Plan } from '../../../plan/plan.ts';
import { servedJson } from '../../records/endpoint.ts';
import type { Check, VerifyServices } from '../check.ts';
import { CPU_INSTANCE, instanceUsd } from '../estimates.ts';
import { failed, type Finding, ok, warning } from '../finding.ts';
import { lookUntil } from '../look-until.ts';
import {
  type ApiAnswer,
  askServed,
  deleteServed,
  deployAs,
  type EndpointTrial,
  NOTHING_TO_SERVE,
  planToServe,
  postServed,
  readTrial,
} from '../probe/endpoint.ts';
import { SLOW } from '../probe/handler.ts';
import { VERIFY_PIPELINE } from '../probe/name.ts';

/** Outcome of an update that SageMaker is to take back. */
interface TakenBack {
  /** Final state of its execution, with error and cause where it has them. */
  readonly execution: string;
  /** Time from the alarm until SageMaker moved; undefined if the update did not bake, or was not taken back. */
  readonly seconds: number | undefined;
}

const REASON = 'inferdrop verify: a test of an update that is taken back. Nothing is wrong.';
const MAX_MS = 60 * 60_000;

/** Hours of the endpoint, and of the candidates and second fleets of two updates. */
const HOURS = 2.5;
/** Size of a body that in Base64 is more than the 6 MB that a function takes, and yet less than the 10 MB that API Gateway reads at all. */
const TOO_LARGE_BYTES = 5_000_000;

/** The endpoint of the verification's run: with autoscaling, asked through the API, updated, deleted again. */
export const stackEndpoint: Check = {
  name: 'stack-endpoint',
  asks: 'Is an endpoint with autoscaling deployed, updated and taken back, does it answer through the API, and is it deleted?',
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const plan = await planToServe(services);
    if (plan === undefined) return NOTHING_TO_SERVE;
    const deployed = await deployAs(services, plan, 'instances');
    const facts: Partial<StackEndpointFacts> =
      deployed === 'SUCCEEDED'
        ? {
            answers: await askServed(services),
            tooLarge: await postServed(services, 'image/png', new Uint8Array(TOO_LARGE_BYTES)),
            slow: await postServed(services, 'image/png', Buffer.from(SLOW)),
            // Another variable makes another model: a candidate is tested, and UpdateEndpoint is called.
            updated: await deployAs(services, withVariable(plan, 'updated'), 'update'),
          }
        : {};
    const takenBack =
      facts.updated === 'SUCCEEDED' ? await takeBack(services, withVariable(plan, 'taken-back')) : undefined;
    const afterwards = facts.updated === 'SUCCEEDED' ? await askServed(services) : [];
    const deleted = await deleteServed(services, 'instances');
    const answers = [...(facts.answers ?? []), ...afterwards];
    return judgeStackEndpoint({ ...facts, takenBack, deployed, deleted, answers });
  },
};

function withVariable(plan: Plan, value: string): Plan {
  const environment = { ...plan.model.environment, INFERDROP_VERIFY: value };
  return { ...plan, model: { ...plan.model, environment } };
}

/** Outcome of a verification's endpoint. */
interface StackEndpointFacts extends EndpointTrial {
  /** Final state of the execution that updated it to another model; undefined if nothing was deployed. */
  readonly updated?: string | undefined;
  /** Outcome of an update that was to be taken back; undefined if there was no such update. */
  readonly takenBack?: TakenBack | undefined;
  /** Answer to a body above the API's limit. */
  readonly tooLarge?: Pick<ApiAnswer, 'status' | 'text'> | undefined;
  /** Answer to an input that keeps the model busy for longer than the API waits. */
  readonly slow?: Pick<ApiAnswer, 'status' | 'text'> | undefined;
}

/** Whether an endpoint with autoscaling can be deployed, answers through the API, is updated, and is deleted. */
export function judgeStackEndpoint(facts: StackEndpointFacts): Finding {
  const { updated, takenBack, tooLarge, slow } = facts;
  const { answered, trouble } = readTrial(
    facts,
    {
      notDeployed:
        'Endpoints with autoscaling cannot be deployed: see denied-calls and role-permissions, and the messages of the endpoint.',
      notDeleted:
        'The endpoint was not deleted and costs money: delete it in SageMaker, and report this file.',
      wrongAnswers:
        'Bodies do not reach the model unchanged: predictions through the API fail. Report this file.',
    },
    [
      ...(tooLarge === undefined ? [] : [`a body that is too large: ${tooLarge.status} ${tooLarge.text}`]),
      ...(slow === undefined ? [] : [`an answer that takes 32 seconds: ${slow.status} ${slow.text}`]),
      ...(updated === undefined ? [] : [`update ${updated}`]),
      ...(takenBack === undefined ? [] : [toText(takenBack)]),
    ],
  );
  if (trouble !== undefined) return trouble;
  if (updated !== undefined && updated !== 'SUCCEEDED')
    return failed(
      answered,
      'An endpoint in service cannot be updated: later runs do not replace it. See denied-calls, and the messages of the endpoint.',
    );
  if (takenBack !== undefined && takenBack.seconds === undefined)
    return warning(
      answered,
      'SageMaker did not take an update back though its alarm rang during endpoint.bakeSeconds: a worse model would ' +
        'be taken back by a second update, which takes minutes. Report this file.',
    );
  if (slow !== undefined && slow.status !== 504)
    return warning(
      answered,
      'Callers of the API see another answer than a 504 with its reason where a model takes too long.',
    );
  if (tooLarge !== undefined && tooLarge.status !== 413)
    return warning(answered, 'Callers of the API see another status than 413 for bodies that are too large.');
  return ok(
    answered,
    'Endpoints are deployed with autoscaling, answer binary and text bodies through the API, are updated, taken back, and deleted.',
  );
}

/** Updates the verification's endpoint and rings its alarm while the old fleet still waits, as a failed test would. */
async function takeBack(services: VerifyServices, plan: Plan): Promise<TakenBack> {
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
function toText({ execution, seconds }: TakenBack): string {
  const when =
    seconds === undefined ? 'not taken back' : `taken back ${Math.round(seconds)} seconds after its alarm`;
  return `update ${when} (${execution.split(' ').slice(0, 2).join(' ')})`;
}
