import * as z from 'zod';
import { MAX_ANSWER_BYTES } from '../../../api/limits.ts';
import { FunctionModel } from '../../../endpoints/function/function-model.ts';
import { toAnswerText } from '../../../text/answer-text.ts';
import { useCase } from '../../use-case.ts';
import type { OpenModel } from './predicting-model.ts';

interface ServeModelServices {
  readonly openModel: OpenModel;
  /** Aborts after `ms` milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
}

/** Time in which the model must be open; of the 28 seconds that callers wait, the rest is for the function's start and the answer. */
const OPEN_WITHIN_MS = 18_000;

/**
 * Answers one request for an endpoint of type lambda, with the code that answers the inputs of a run of engine lambda. The model stays open
 * for the requests that follow. One that is not open in time is said to be loading, so that no answer at all means a slow answer; its
 * loading goes on with the next request, since Lambda stops the processor between two.
 *
 * @throws {ModelRefused}
 */
export const serveModel = useCase({
  /** Sent by the functions predict and test-endpoint. */
  input: z.object({
    /** For the log. */
    pipeline: z.string(),
    model: FunctionModel,
    contentType: z.string(),
    accept: z.string(),
    /** Base64. */
    body: z.base64(),
  }),
  /** Status as of HTTP; the body is base64. */
  output: z.union([
    z.object({ status: z.int(), body: z.string() }),
    z.object({ isLoading: z.literal(true) }),
  ]),
})(async ({ model, contentType, accept, body }, { openModel, deadline }: ServeModelServices) => {
  const opened = await unlessLate(openModel(model), deadline(OPEN_WITHIN_MS));
  if (opened === undefined) return { isLoading: true };
  const answer = await opened.answer({ body: Buffer.from(body, 'base64'), contentType, accept });
  const bytes = Buffer.from(answer.body);
  if (answer.status === 200 && bytes.length > MAX_ANSWER_BYTES) {
    const message =
      `the answer has ${bytes.length} bytes, and a function returns ${MAX_ANSWER_BYTES} at most: send fewer records at ` +
      'once, or drop the file into a prefix';
    return { status: 413, body: Buffer.from(message).toString('base64') };
  }
  // A refusal is read by people; whole, it could be more than Lambda returns.
  const said = answer.status === 200 ? bytes : Buffer.from(toAnswerText(bytes.toString('utf8')));
  return { status: answer.status, body: said.toString('base64') };
});

/** The value of a promise; undefined if the signal comes first. After that, a failure doesn't matter. */
async function unlessLate<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([promise, late]);
}
