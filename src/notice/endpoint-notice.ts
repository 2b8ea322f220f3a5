import { dollars, duration } from '../text/figures.ts';
import { said } from '../text/said.ts';
import type { Notice } from './notice.ts';
import { line, MAX_SUBJECT_LENGTH } from './notice-lines.ts';
import { shorten, toAsciiText } from './plain-text.ts';

/** An event in the life of a pipeline's endpoint, past or announced. */
export type EndpointNews =
  | {
      readonly outcome: 'deployed' | 'unchanged';
      readonly run: string;
      /** Inputs with real-time answers that agreed with the batch answers. */
      readonly tested: number;
      readonly serving: Serving;
    }
  | {
      readonly outcome: 'rolled-back';
      readonly run: string;
      readonly reason: string;
      readonly serving: Serving | null;
    }
  /** An execution died after its last step had finished, so nothing had to be repaired. */
  | { readonly outcome: 'unharmed'; readonly reason: string; readonly serving: Serving | null }
  | ({
      readonly outcome: 'deleted';
      readonly reason: string;
      /** Hours that it served; null if unknown. */
      readonly servedHours: number | null;
    } & Price)
  | ({
      readonly outcome: 'ending';
      readonly reason: 'expired' | 'idle';
      readonly dueAt: string;
      readonly idleHours: number | null;
    } & Price)
  | { readonly outcome: 'failed'; readonly action: string; readonly reason: string };

/** Price of an endpoint; with autoscaling from its fewest to its most instances. */
interface Price {
  readonly hourlyUsd: number | null;
  /** Null without autoscaling. */
  readonly maxHourlyUsd: number | null;
}

/** The model that serves, with its instances and price. */
export interface Serving extends Price {
  readonly hardware: string;
  readonly deployedBy: string | null;
  readonly expiresAt: string | null;
}

const MONTH_HOURS = 730;

const HEADLINES: Readonly<Record<EndpointNews['outcome'], string>> = {
  deployed: 'is deployed',
  unchanged: 'serves already',
  'rolled-back': 'was rolled back',
  unharmed: 'needs no repair',
  deleted: 'is deleted',
  ending: 'will be deleted',
  failed: 'could not be changed',
};

/** The message about an endpoint: what happened and why, what it costs, and what to do. */
export function toEndpointNotice(pipeline: string, endpointName: string, news: EndpointNews): Notice {
  const headline = `Endpoint of ${line(pipeline)} ${HEADLINES[news.outcome]}`;
  const lines = [`${headline}.`, '', ...linesOf(pipeline, news), `Endpoint   ${endpointName}`];
  return {
    subject: shorten(
      toAsciiText(`inferdrop: endpoint of ${pipeline} ${HEADLINES[news.outcome]}`),
      MAX_SUBJECT_LENGTH,
    ),
    body: `${lines.join('\n')}\n`,
    attributes: { pipeline, status: `endpoint-${news.outcome}` },
  };
}

function linesOf(pipeline: string, news: EndpointNews): string[] {
  switch (news.outcome) {
    case 'deployed':
      return [
        `Run        ${line(news.run)}`,
        `Tested     ${news.tested} of the run's inputs: the endpoint answers as batch transform did`,
        ...serving(news.serving),
        `Command    inferdrop predict FILE --pipeline ${pipeline}`,
      ];
    case 'unchanged':
      return [
        `Run        ${line(news.run)}: the same model on the same hardware, so nothing was changed`,
        ...(news.serving.deployedBy === null || news.serving.deployedBy === news.run
          ? []
          : [`Deployed   by ${line(news.serving.deployedBy)}`]),
        ...serving(news.serving),
      ];
    case 'rolled-back':
      return [
        `Run        ${line(news.run)}`,
        `Reason     ${line(news.reason)}`,
        ...(news.serving === null
          ? ['Now        Nothing serves: the new endpoint was deleted']
          : ['Now        The previous model serves, as it did throughout', ...serving(news.serving)]),
        `Next step  inferdrop endpoints logs ${pipeline}; then correct the model, and drop or rerun`,
      ];
    case 'unharmed':
      return [
        `Reason     ${line(news.reason)}`,
        ...(news.serving === null
          ? ['Now        Nothing serves']
          : ['Now        It serves what was deployed last', ...serving(news.serving)]),
        `Next step  inferdrop endpoints shows what serves`,
      ];
    case 'deleted':
      return [
        `Reason     ${line(news.reason)}`,
        ...saved(news),
        `Next step  inferdrop endpoints deploy ${pipeline}, if it is needed again`,
      ];
    case 'ending':
      return [
        news.reason === 'idle'
          ? `Reason     It has not been invoked for nearly ${news.idleHours ?? 0} hours (endpoint.idleHours)`
          : 'Reason     Its lifetime has ended (endpoint.ttlHours)',
        `When       ${news.dueAt}, or at the next check after it`,
        ...(news.hourlyUsd === null ? [] : [`Cost       ${range(news.hourlyUsd, news)} an hour until then`]),
        `Next step  inferdrop endpoints deploy ${pipeline} restarts its lifetime; endpoint.ttlHours null in ` +
          'pipeline.json keeps the next one',
      ];
    case 'failed':
      return [
        `Reason     ${line(news.reason)}`,
        `Next step  Correct what the reason names, then inferdrop endpoints ${news.action} ${pipeline}`,
      ];
  }
}

function serving({ hardware, hourlyUsd, expiresAt, ...price }: Serving): string[] {
  return [
    `Hardware   ${hardware}`,
    hourlyUsd === null
      ? 'Cost       By use, or unknown'
      : `Cost       ${range(hourlyUsd, price)} an hour, ${range(hourlyUsd, price, MONTH_HOURS)} a month`,
    `Until      ${expiresAt ?? 'it is deleted by hand'}`,
  ];
}

function saved({
  servedHours,
  hourlyUsd,
  maxHourlyUsd,
}: Price & { readonly servedHours: number | null }): string[] {
  if (hourlyUsd === null) return [];
  const price = { maxHourlyUsd };
  return said(
    servedHours !== null &&
      `Cost       ${range(hourlyUsd, price, servedHours)} since its last deployment, ${duration(servedHours * 3600)} ago`,
    `Saved      ${range(hourlyUsd, price)} an hour from now on, ${range(hourlyUsd, price, MONTH_HOURS)} a month`,
  );
}

/** Price of some hours: `$0.13`, or `$0.13 to $1.04` where autoscaling decides. */
function range(hourlyUsd: number, { maxHourlyUsd }: Pick<Price, 'maxHourlyUsd'>, hours = 1): string {
  const least = dollars(hourlyUsd * hours);
  return maxHourlyUsd === null ? least : `${least} to ${dollars(maxHourlyUsd * hours)}`;
}
