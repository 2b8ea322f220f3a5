import { InvokeEndpointCommand, ModelError, SageMakerRuntimeClient } from '@aws-sdk/client-sagemaker-runtime';
import { isNamed, namedError, withErrorNames } from './aws-error.ts';

/** One request to a model. */
interface Invocation {
  readonly contentType: string;
  readonly accept: string;
  readonly body: Uint8Array;
  /** Ends the request; it then rejects as `InvocationAborted`. */
  readonly signal?: AbortSignal;
}

/** What the container answered. */
export interface Answer {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** Name of the production variant that answered. */
  readonly variant: string;
}

/**
 * Real-time invocations. Rejects as `EndpointMissing`; `ModelError`, with the container's own words; `ModelNotReady` while
 * a serverless endpoint wakes; `Throttled`; `ServiceUnavailable`; `InvocationAborted`; `NetworkingError`.
 */
export interface Runtime {
  invoke(endpointName: string, invocation: Invocation): Promise<Answer>;
}

/** The container refused or failed. */
export class ContainerError extends Error {
  override readonly name = 'ModelError';
  /** HTTP status that the container answered with. */
  readonly status: number | undefined;
  /** What the container said. */
  readonly said: string;

  constructor(status: number | undefined, said: string, options: ErrorOptions) {
    super(`the container answered ${status ?? 'an error'}: ${said}`, options);
    this.status = status;
    this.said = said;
  }
}

let client: SageMakerRuntimeClient | undefined;

/** Endpoints of the account and region that the environment names; the client is built on first use. */
export function runtime(): Runtime {
  return {
    async invoke(endpointName, { contentType, accept, body, signal }) {
      client ??= new SageMakerRuntimeClient();
      try {
        const answer = await withErrorNames(
          client.send(
            new InvokeEndpointCommand({
              EndpointName: endpointName,
              ContentType: contentType,
              Accept: accept,
              Body: body,
            }),
            signal === undefined ? {} : { abortSignal: signal },
          ),
        );
        return {
          body: answer.Body ?? new Uint8Array(),
          contentType: answer.ContentType ?? 'application/octet-stream',
          variant: answer.InvokedProductionVariant ?? '',
        };
      } catch (error) {
        throw toOurError(error, endpointName);
      }
    },
  };
}

/** "Endpoint x of account y not found." is a `ValidationError`, as is an input that SageMaker itself refuses. */
const IS_MISSING = /not found|could not find/i;

function toOurError(error: unknown, endpointName: string): unknown {
  if (error instanceof ModelError)
    return new ContainerError(error.OriginalStatusCode, error.OriginalMessage ?? error.message, {
      cause: error,
    });
  if (isNamed(error, 'ValidationError', 'ValidationException') && IS_MISSING.test(error.message))
    return namedError('EndpointMissing', `there is no endpoint ${endpointName}`, error);
  if (isNamed(error, 'ModelNotReadyException')) return namedError('ModelNotReady', error.message, error);
  if (isNamed(error, 'AbortError'))
    return namedError('InvocationAborted', 'the model has not answered in time', error);
  return error;
}
