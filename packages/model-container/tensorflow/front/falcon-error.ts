import type { HandlerAnswer } from '../../handlers/python-service.ts';
import type { RestAnswer } from '../serving/rest-api.ts';

/** How the Python service of the newer images passes on that TensorFlow Serving refused a request. */
export function toFalconError({ status, body }: RestAnswer): HandlerAnswer {
  const error = { title: String(status), description: body };
  return { status, body: JSON.stringify(error), contentType: 'application/json' };
}
