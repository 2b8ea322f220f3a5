import * as z from 'zod';
import type { EndpointNews, Serving } from '../../notice/endpoint-notice.ts';
import { causeText } from '../../problem/cause-text.ts';
import { useCase } from '../use-case.ts';
import { finishEndpoint } from './finish-endpoint.ts';
import { tellOfEndpoint, type TellServices } from './tell-of-endpoint.ts';

/** Sent by the states named below; by `NotifyNotDeployed`, after a deployment that could not start, with `tested` 0 and `finished` null. */
const Input = z.object({
  pipeline: z.string(),
  action: z.enum(['deploy', 'delete', 'restore']),
  outcome: z.enum(['deployed', 'unchanged', 'rolled-back', 'deleted', 'failed']),
  run: z.string().nullable(),
  /** Reason; null without one. */
  reason: z.string().nullable(),
  /** Error that ended a state, and the state; the reason is its cause. */
  error: z.string().default(''),
  step: z.string().nullable().default(null),
  tested: z.int().nonnegative(),
  /** Result of FinishEndpoint; null if it was not reached. */
  finished: finishEndpoint.output.nullable(),
});

/** States `NotifyEndpoint`, `NotifyFailure` and, in runs, `NotifyNotDeployed`: send the one message about a change of an endpoint. */
export const notifyEndpoint = useCase({
  input: Input,
  /** SNS's id of the message. */
  output: z.object({ messageId: z.string() }),
})((input, services: TellServices) => tellOfEndpoint(input.pipeline, toNews(input), services));

function toNews(input: z.infer<typeof Input>): EndpointNews {
  const { outcome, finished, tested } = input;
  const { error, step, reason: cause } = input;
  const reason =
    cause === null ? 'no reason was given' : causeText({ error, cause, step: step ?? undefined });
  const run = input.run ?? '';
  const serving: Serving | null =
    finished === null || finished.configName === null
      ? null
      : {
          hardware: finished.hardware ?? 'not known',
          deployedBy: finished.deployedBy,
          hourlyUsd: finished.hourlyUsd,
          maxHourlyUsd: finished.maxHourlyUsd,
          expiresAt: finished.expiresAt,
        };
  switch (outcome) {
    case 'deployed':
    case 'unchanged':
      return serving === null
        ? { outcome: 'failed', action: input.action, reason: 'the endpoint was deleted meanwhile' }
        : { outcome, run, tested, serving };
    case 'rolled-back':
      return input.action === 'restore' && finished?.hadChange === false
        ? { outcome: 'unharmed', reason, serving }
        : { outcome, run, reason, serving };
    case 'deleted':
      return {
        outcome,
        reason,
        servedHours: finished?.servedHours ?? null,
        hourlyUsd: finished?.hourlyUsd ?? null,
        maxHourlyUsd: finished?.maxHourlyUsd ?? null,
      };
    case 'failed':
      return { outcome, action: input.action === 'delete' ? 'delete' : 'deploy', reason };
  }
}
