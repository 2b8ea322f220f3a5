import { SageMakerRuntimeClient } from '@aws-sdk/client-sagemaker-runtime';
import type { PlainRequest } from './signed-request.ts';
import { sendSigned } from './signed-request.ts';

/**
 * Sends a request to our own HTTP API: with a token where `INFERDROP_TOKEN` has one, else with AWS's signature of whoever
 * the SDK finds in environment, profile or machine.
 */
export async function callApi(request: PlainRequest): Promise<Response> {
  const token = process.env.INFERDROP_TOKEN;
  if (token !== undefined) {
    const { method, url, headers, body } = request;
    return fetch(url, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: Uint8Array.from(body) }),
    });
  }
  // Any client's configuration finds credentials and region as all of them do.
  const { config } = new SageMakerRuntimeClient();
  return sendSigned(request, {
    service: 'execute-api',
    region: await config.region(),
    credentials: config.credentials,
  });
}
