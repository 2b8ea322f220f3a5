import { servedJson } from '../../records/endpoint.ts';
import type { Check, VerifyServices } from '../check.ts';
import { CPU_INSTANCE, instanceUsd } from '../estimates.ts';
import { failed, type Finding, ok, warning } from '../finding.ts';
import { lookUntil } from '../look-until.ts';
import {
  type EndpointTrial,
  NOTHING_TO_SERVE,
  planToServe,
  postServed,
  readTrial,
  tryServed,
} from '../probe/endpoint.ts';
import { VERIFY_PIPELINE } from '../probe/name.ts';

const HOURS = 1;
/** Time in which the last copy has gone, and in which a request has brought one back. */
const MAX_MS = 20 * 60_000;

/** The model of the verification's run as an inference component: asked, put to sleep, woken by a request, deleted. */
export const wakingEndpoint: Check = {
  name: 'waking-endpoint',
  asks: 'Does an endpoint that scales to zero answer, refuse while asleep, wake by a request, and is it deleted?',
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const plan = await planToServe(services);
    if (plan === undefined || plan.endpoint === null) return NOTHING_TO_SERVE;
    const endpoint = { ...plan.endpoint, scaleToZero: true, autoscaling: null, idleHours: null };
    const served = { ...plan, endpoint };
    const { trial, seen } = await tryServed(services, { plan, served, step: 'idle' }, () =>
      sleepAndWake(services),
    );
    return judgeWakingEndpoint({ ...trial, ...seen });
  },
};

/** Nobody waits a quarter of an hour for autoscaling: the copies are taken away by hand, and come back as they always do. */
async function sleepAndWake(services: VerifyServices): Promise<Pick<WakingFacts, 'asleep' | 'wokenSeconds'>> {
  const { store, clock, putToSleep } = services;
  const served = await servedJson(VERIFY_PIPELINE).read(store);
  const component = served?.variants[served.live ?? '']?.component;
  if (typeof component !== 'string') throw new Error(`${servedJson(VERIFY_PIPELINE).key} names no component`);
  await putToSleep(component);
  const patience = { ...services, maxMs: MAX_MS };
  const ask = () => postServed(services, 'image/png', Buffer.from('awake?'));
  const asleep = await lookUntil(async () => {
    const answer = await ask();
    return answer.status === 200 ? undefined : answer;
  }, patience);
  if (asleep === undefined) return {};
  const since = clock().getTime();
  const woken = await lookUntil(async () => ((await ask()).status === 200 ? true : undefined), patience);
  return {
    asleep,
    ...(woken && { wokenSeconds: Math.round((clock().getTime() - since) / 1000) }),
  };
}

/** Outcome of an endpoint that was put to sleep. */
interface WakingFacts extends EndpointTrial {
  /** The first answer without predictions; undefined if there was none. */
  readonly asleep?: { readonly status: number; readonly text: string } | undefined;
  /** Time from that answer to the next prediction; undefined if none came. */
  readonly wokenSeconds?: number | undefined;
}

/** Whether an endpoint that scales to zero can be deployed, says that it is asleep, wakes, and is deleted. */
export function judgeWakingEndpoint(facts: WakingFacts): Finding {
  const { asleep, wokenSeconds } = facts;
  const { answered, trouble } = readTrial(
    facts,
    {
      notDeployed:
        'Endpoints that scale to zero cannot be deployed: see idle-hosts, denied-calls, and the messages of the endpoint.',
      notDeleted:
        'The endpoint was not deleted and costs money once it gets a request: delete its inference components and ' +
        'then the endpoint in SageMaker, and report this file.',
      wrongAnswers: 'An endpoint that scales to zero does not answer through the API. Report this file.',
    },
    [
      ...(asleep === undefined ? [] : [`asleep: ${asleep.status} ${asleep.text}`]),
      ...(wokenSeconds === undefined ? [] : [`awake after ${wokenSeconds} seconds`]),
    ],
  );
  if (trouble !== undefined) return trouble;
  if (asleep === undefined)
    return warning(answered, 'The endpoint kept its copy, and its price, although none was wanted.');
  if (wokenSeconds === undefined)
    return failed(
      answered,
      'A request does not wake the endpoint: see its alarm "…-asleep" in CloudWatch, and the scaling activities of ' +
        'its inference component.',
    );
  if (asleep.status !== 503)
    return warning(answered, 'Callers of the API see another status than 503 while a model is asleep.');
  return ok(answered, 'Endpoints that scale to zero fall asleep, wake by a request, and are deleted.');
}
