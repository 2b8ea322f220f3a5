import * as z from 'zod';
import { FunctionModel } from '../../../endpoint/function-model.ts';
import { useCase } from '../../use-case.ts';
import type { OpenModel } from './predicting-model.ts';

interface ServeModelServices {
  readonly openModel: OpenModel;
}

/**
 * Answers one request for an endpoint of type lambda, with the code that answers the inputs of a run of engine lambda. The model stays open
 * for the requests that follow; a caller who does not wait for it to be opened finds it open later.
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
  output: z.object({ status: z.int(), body: z.string() }),
})(async ({ model, contentType, accept, body }, { openModel }: ServeModelServices) => {
  const opened = await openModel(model);
  const answer = await opened.answer({ body: Buffer.from(body, 'base64'), contentType, accept });
  return { status: answer.status, body: Buffer.from(answer.body).toString('base64') };
});
