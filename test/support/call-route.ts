import { api } from '../../src/app/api/api.ts';
import { apiStart } from '../../src/app/api/api-start.ts';
import { NOW } from './drop-fixture.ts';
import { type MemoryExecutions, memoryExecutions } from './memory-executions.ts';
import type { MemoryObjectStore } from './memory-object-store.ts';
import { tokenOf } from './token-of.ts';

/** Seconds that links to reports work. */
export const LINK_SECONDS = 60;

/** Calls a route of the API, as API Gateway does, at `NOW`. */
export async function callRoute(
  store: MemoryObjectStore,
  routeKey: string,
  {
    path = {},
    query = {},
    body,
    claim = '',
    claims = {},
    executions = memoryExecutions(),
  }: {
    readonly path?: Record<string, string>;
    readonly query?: Record<string, string>;
    readonly body?: string;
    /** Name of the claim that lists the pipelines of a token, and the token's claims. */
    readonly claim?: string;
    readonly claims?: Record<string, string>;
    readonly executions?: MemoryExecutions;
  } = {},
) {
  const request = {
    version: '2.0' as const,
    routeKey,
    rawPath: '',
    rawQueryString: '',
    pathParameters: path,
    queryStringParameters: query,
    ...tokenOf(claims),
    isBase64Encoded: false,
    ...(body !== undefined && { body }),
  };
  const links = (key: string) => Promise.resolve(`https://link/${key}`);
  const services = {
    store,
    links,
    linkSeconds: LINK_SECONDS,
    clock: () => NOW,
    pipelinesClaim: claim,
    executions: () => executions,
  };
  const { statusCode, body: text } = await (routeKey.startsWith('POST ') ? apiStart : api)(request, services);
  return { statusCode, answer: JSON.parse(text) as object };
}
