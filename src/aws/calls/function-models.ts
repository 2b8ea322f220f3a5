import * as z from 'zod';
import type { FunctionModel } from '../../endpoints/function/function-model.ts';
import { Condition } from '../../problem/conditions.ts';
import { ContainerError, type Invocation, type RuntimeOptions } from '../sagemaker/runtime.ts';
import { isNamed, namedError, withErrorNames } from './aws-error.ts';
import { exchange, type HttpAnswer } from './exchange.ts';
import { retried } from './retried.ts';
import { jsonOf, toServiceError } from './service-error.ts';
import { signRequest } from './sign-request.ts';

/** An answer of the function that serves models: status as of HTTP, and its body as base64; or that it still loads the model. */
const FunctionAnswer = z.union([
  z.object({ status: z.int(), body: z.string() }),
  z.object({ isLoading: z.literal(true) }),
]);

/** Models that a function answers for. Rejects as `Runtime` does, but never as `EndpointMissing`. */
export interface FunctionModels {
  answer(pipeline: string, model: FunctionModel, invocation: Invocation): Promise<Uint8Array>;
}

/** Time in which the function must answer, and its name. */
interface FunctionOptions extends RuntimeOptions {
  readonly functionName: string;
  readonly withinMs: number;
}

/** Failures of the function itself that the model causes: it ran out of memory or time, crashed, or said too much. */
const DEATHS = [
  'ModelRefused',
  'ModelNeedsContainer',
  'Runtime.ExitError',
  'Runtime.OutOfMemory',
  'Sandbox.Timedout',
  'Function.ResponseSizeTooLarge',
];

const Thrown = z.object({ errorType: z.string().catch(''), errorMessage: z.string().catch('') });

/** The function of one region that serves models, asked without the SDK's client (ADR 10). */
export function functionModels(options: FunctionOptions): FunctionModels {
  const { base, region, credentials, pause, functionName, withinMs } = options;
  return {
    async answer(pipeline, model, { contentType, accept, body, signal }) {
      const payload = { pipeline, model, contentType, accept, body: Buffer.from(body).toString('base64') };
      const request = {
        method: 'POST',
        url: new URL(`/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`, base),
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(payload)),
      } as const;
      const late = AbortSignal.timeout(withinMs);
      const ends = signal === undefined ? late : AbortSignal.any([signal, late]);
      const ask = async (): Promise<HttpAnswer> => {
        const signer = { service: 'lambda', region, credentials: credentials() };
        const answer = await exchange({ ...request, headers: await signRequest(request, signer) }, ends);
        if (answer.status >= 300) throw toServiceError(answer);
        return answer;
      };
      let answer: HttpAnswer;
      try {
        answer = await retried(() => withErrorNames(ask()), ends, pause);
      } catch (error) {
        // A function that loads its model says so.
        if (isNamed(error, 'AbortError', 'TimeoutError'))
          throw new Condition(
            'InvocationAborted',
            `the model did not answer within ${Math.round(withinMs / 1000)} seconds`,
            { cause: error },
          );
        throw error;
      }
      if (answer.headers['x-amz-function-error'] !== undefined) throw toError(answer);
      const given = FunctionAnswer.parse(jsonOf(answer.body));
      if ('isLoading' in given)
        throw new Condition('ModelNotReady', 'a function that starts loads the model first');
      const { status, body: said } = given;
      const bytes = Buffer.from(said, 'base64');
      if (status !== 200) throw new ContainerError(status, bytes.toString('utf8'));
      return bytes;
    },
  };
}

function toError({ body }: HttpAnswer): Error {
  const { errorType, errorMessage } = Thrown.catch({ errorType: '', errorMessage: '' }).parse(jsonOf(body));
  if (DEATHS.includes(errorType)) return new ContainerError(undefined, `${errorType}: ${errorMessage}`);
  return namedError(errorType, errorMessage);
}
