import type { PipelineList } from '../../api/api-schemas.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { liveVariant } from '../../endpoint/served.ts';
import { configuredPipelines } from '../records/configured-pipelines.ts';
import { servedJson } from '../records/endpoint.ts';

/** Route `GET /pipelines`: every configured pipeline that the caller may use, and its endpoint. */
export async function listPipelines(
  store: ObjectStore,
  isOpen: (pipeline: string) => boolean,
): Promise<PipelineList> {
  const names = await configuredPipelines(store);
  const pipelines = names.filter(isOpen).map(async (pipeline) => {
    const served = await servedJson(pipeline).read(store);
    const live = liveVariant(served);
    const endpoint =
      served === undefined
        ? null
        : {
            name: served.endpointName,
            status: served.status,
            run: live?.deployedBy ?? null,
            hardware: live?.hardware ?? null,
            deployedAt: served.deployedAt,
            expiresAt: served.expiresAt,
          };
    return { pipeline, endpoint };
  });
  return { pipelines: await Promise.all(pipelines) };
}
