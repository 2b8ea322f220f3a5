import { changeJson, servedJson } from '../../app/records/endpoint.ts';
import { toCandidateName, toEndpointName } from '../../endpoint/names.ts';
import type { Application } from '../application.ts';

/** Whether anything serves a pipeline, or is about to, including the remains of an execution that died. */
export async function hasEndpoint(
  {
    store,
    endpoints,
    endpointPrefix: prefix,
    bucket,
  }: Pick<Application, 'store' | 'endpoints' | 'endpointPrefix' | 'bucket'>,
  pipeline: string,
): Promise<boolean> {
  const owner = { prefix, bucket };
  const found = await Promise.all([
    servedJson(pipeline).read(store),
    changeJson(pipeline).read(store),
    endpoints.describe(toEndpointName(owner, pipeline)),
    endpoints.describe(toCandidateName(owner, pipeline)),
  ]);
  return found.some((one) => one !== undefined);
}
