import * as z from 'zod';
import { Condition } from '../../problem/conditions.ts';
import { toAnswerText } from '../../text/answer-text.ts';
import { isNamed, withErrorNames } from '../calls/aws-error.ts';
import { exchange, type HttpAnswer } from '../calls/exchange.ts';
import { type Pause, retried } from '../calls/retried.ts';
import { jsonOf, toServiceError } from '../calls/service-error.ts';
import { type Credentials, signRequest } from '../calls/sign-request.ts';

/** One request to a model. */
export interface Invocation {
  readonly contentType: string;
  readonly accept: string;
  readonly body: Uint8Array;
  /** The inference component to call; absent if the endpoint's variants have models. */
  readonly component?: string | undefined;
  /** Aborts the request; it then rejects as `InvocationAborted`. */
  readonly signal?: AbortSignal;
}

/** The container's answer. */
export interface Answer {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** Name of the production variant, or of the inference component, that answered. */
  readonly variant: string;
}

/**
 * Real-time invocations. Rejects as `EndpointMissing`; `ModelError`, with the container's own message; `ModelNotReady` while a
 * serverless endpoint starts; `EndpointAsleep` while an inference component has no copy; `Throttled`; `ServiceUnavailable`;
 * `InvocationAborted`; `NetworkingError`.
 */
export interface Runtime {
  invoke(endpointName: string, invocation: Invocation): Promise<Answer>;
}

/** The container refused the request or failed. */
export class ContainerError extends Error {
  override readonly name = 'ModelError';
  readonly status: number | undefined;

  /** Status and text of the container's answer. */
  constructor(status: number | undefined, said: string) {
    super(`the container answered ${status ?? 'an error'}: ${toAnswerText(said)}`);
    this.status = status;
  }
}

/** Address of a service, and the caller's credentials. */
export interface RuntimeOptions {
  readonly base: URL;
  readonly region: string;
  readonly credentials: () => Credentials;
  readonly pause?: Pause;
}

/** Header that names the inference component. */
const COMPONENT = 'x-amzn-sagemaker-inference-component';

/** `InvokeEndpoint` of one region, asked without the SDK's client (ADR 10). */
export function runtime({ base, region, credentials, pause }: RuntimeOptions): Runtime {
  return {
    async invoke(endpointName, { contentType, accept, body, component, signal }) {
      const request = {
        method: 'POST',
        url: new URL(`/endpoints/${encodeURIComponent(endpointName)}/invocations`, base),
        headers: {
          'content-type': contentType,
          accept,
          ...(component !== undefined && { [COMPONENT]: component }),
        },
        body,
      } as const;
      const ask = async (): Promise<HttpAnswer> => {
        const signer = { service: 'sagemaker', region, credentials: credentials() };
        const answer = await exchange({ ...request, headers: await signRequest(request, signer) }, signal);
        if (answer.status >= 300) throw toRefusal(answer);
        return answer;
      };
      try {
        const answer = await retried(() => withErrorNames(ask()), signal, pause);
        const variant = answer.headers['x-amzn-invoked-production-variant'];
        return {
          body: answer.body,
          contentType: answer.headers['content-type'] ?? 'application/octet-stream',
          variant: component ?? (typeof variant === 'string' ? variant : ''),
        };
      } catch (error) {
        throw toOurError(error, endpointName);
      }
    },
  };
}

const ModelErrorBody = z.object({
  OriginalStatusCode: z.int().optional(),
  OriginalMessage: z.string().optional(),
});

function toRefusal(answer: HttpAnswer): Error {
  const error = toServiceError(answer);
  if (error.name !== 'ModelError') return error;
  const said = ModelErrorBody.safeParse(jsonOf(answer.body)).data;
  return new ContainerError(said?.OriginalStatusCode, said?.OriginalMessage ?? error.message);
}

/** "Endpoint x of account y not found." is a `ValidationError`, like an input that SageMaker itself refuses. */
const IS_MISSING = /not found|could not find/i;

/** "Inference Component has no capacity to process this request. …" is a `ValidationError` as well. */
const IS_ASLEEP = /has no capacity to process/i;

function toOurError(error: unknown, endpointName: string): unknown {
  if (isNamed(error, 'ValidationError', 'ValidationException') && IS_MISSING.test(error.message))
    return new Condition('EndpointMissing', `there is no endpoint ${endpointName}`, { cause: error });
  if (isNamed(error, 'ValidationError') && IS_ASLEEP.test(error.message))
    return new Condition('EndpointAsleep', `endpoint ${endpointName} is asleep`, { cause: error });
  if (isNamed(error, 'ModelNotReadyException'))
    return new Condition('ModelNotReady', error.message, { cause: error });
  if (isNamed(error, 'AbortError', 'TimeoutError'))
    return new Condition('InvocationAborted', 'the model did not answer in time', { cause: error });
  return error;
}
