import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../../src/aws/calls/call-api.ts';
import type { PlainRequest } from '../../src/aws/calls/sign-request.ts';

/**
 * Asks the HTTP API as a patient client: again for as long as the gateway's own 503 says that the function took longer
 * than the gateway waits, which a busy machine brings about. A 503 of the application is a problem document, and is the
 * answer.
 */
export async function askApi(request: PlainRequest): Promise<Response> {
  for (;;) {
    const answer = await callApi(request);
    if (answer.status !== 503) return answer;
    if (answer.headers.get('content-type')?.startsWith('application/problem+json')) return answer;
    await answer.body?.cancel();
    await pause(250);
  }
}
