import type { Targets } from '../events/dispatcher.ts';
import { jsonOrUndefined } from '../kernel/json-or-undefined.ts';
import type { InvokeResult } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import type { AsyncEvent } from './async-event.ts';
import type { GivenUp } from './async-retry.ts';
import type { AsyncConfig, FunctionConfig } from './function-config.ts';
import { functionArn, parseFunctionReference } from './function-reference.ts';

/** An event that its function has answered, or that is given up. */
export interface EndedEvent {
  readonly event: AsyncEvent;
  readonly config: AsyncConfig;
  readonly condition: 'Success' | GivenUp;
  readonly attempts: number;
  /** Result of the last attempt; undefined where it was throttled. */
  readonly result: InvokeResult | undefined;
}

/**
 * Brings an event's end to the destinations and the dead-letter queue of its function, as the function's role. What was given up
 * and has none of them, and what one of them did not take, is passed to `report`.
 */
export async function deliverEnd(
  ended: EndedEvent,
  deps: {
    readonly configOf: (target: string) => FunctionConfig;
    readonly targets: Targets;
    readonly site: Site;
    readonly nowMs: number;
    readonly report: (line: string) => void;
  },
): Promise<void> {
  const { event, config, condition, result } = ended;
  const deliver = async (
    arn: string,
    payload: string,
    attributes?: Readonly<Record<string, string>>,
  ): Promise<void> => {
    try {
      const by = {
        roleArn: deps.configOf(event.target).role,
        sessionName: parseFunctionReference(event.target).name,
      };
      await deps.targets.deliver(arn, payload, by, attributes ? { attributes } : {});
    } catch (error) {
      deps.report(`${arn} did not take ${payload}: ${String(error)}`);
    }
  };
  const record = (): string => JSON.stringify(toRecord(ended, deps.site, deps.nowMs));
  if (condition === 'Success') {
    if (config.onSuccessArn !== undefined) await deliver(config.onSuccessArn, record());
    return;
  }
  const { deadLetterArn } = deps.configOf(event.target);
  const failure = result?.payload.toString('utf8') ?? '';
  if (config.onFailureArn !== undefined) await deliver(config.onFailureArn, record());
  if (deadLetterArn !== undefined) {
    const attributes = { RequestID: event.id, ErrorCode: '200', ErrorMessage: failure.slice(0, 1024) };
    await deliver(deadLetterArn, payloadOf(event), attributes);
  }
  if (config.onFailureArn === undefined && deadLetterArn === undefined)
    deps.report(
      `${event.target}: event ${event.id} given up (${condition}) and no failure destination: ${failure}`,
    );
}

function toRecord({ event, condition, attempts, result }: EndedEvent, site: Site, nowMs: number): unknown {
  const { name, qualifier } = parseFunctionReference(event.target);
  return {
    version: '1.0',
    timestamp: new Date(nowMs).toISOString(),
    requestContext: {
      requestId: event.id,
      functionArn: `${functionArn(site, name)}:${qualifier}`,
      condition,
      approximateInvokeCount: attempts,
    },
    requestPayload: parsedOrText(payloadOf(event)),
    ...(result
      ? {
          responseContext: {
            statusCode: 200,
            executedVersion: qualifier,
            ...(result.functionError ? { functionError: result.functionError } : {}),
          },
          responsePayload: parsedOrText(result.payload.toString('utf8')),
        }
      : {}),
  };
}

function payloadOf({ payload }: AsyncEvent): string {
  return Buffer.from(payload, 'base64').toString('utf8');
}

/** A payload need not be JSON; the record then carries it as text. */
function parsedOrText(text: string): unknown {
  const value = jsonOrUndefined(text);
  return value === undefined ? text : value;
}
