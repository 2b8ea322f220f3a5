import { SageMakerRuntimeClient } from '@aws-sdk/client-sagemaker-runtime';
import { type PlainRequest, signRequest } from './sign-request.ts';

/**
 * Sends a request to this application's HTTP API: with the token of `INFERDROP_TOKEN` if there is one, else signed with the credentials
 * that the SDK finds in the environment, a profile or the machine.
 */
export async function callApi(request: PlainRequest): Promise<Response> {
  const { method, url, body } = request;
  const token = process.env.INFERDROP_TOKEN;
  const headers =
    token === undefined ? await signed(request) : { ...request.headers, authorization: `Bearer ${token}` };
  return fetch(url, { method, headers, ...(body !== undefined && { body: Uint8Array.from(body) }) });
}

async function signed(request: PlainRequest): Promise<Record<string, string>> {
  // Any client's configuration resolves credentials and region; this one is small.
  const { config } = new SageMakerRuntimeClient();
  const [region, credentials] = await Promise.all([config.region(), config.credentials()]);
  const { host: _, ...headers } = await signRequest(request, { service: 'execute-api', region, credentials });
  return headers;
}
