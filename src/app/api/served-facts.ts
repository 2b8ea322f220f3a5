import type { SmallObjects } from '../../aws/s3/small-object.ts';
import type { Served } from '../../endpoint/served.ts';
import { servedJson } from '../records/endpoint.ts';

/** Finds the model that serves a pipeline; `fresh` reads it from the bucket even if it is cached. */
export type ServedFacts = (pipeline: string, fresh?: boolean) => Promise<Served | undefined>;

interface Known {
  readonly served: Served;
  readonly etag: string;
  readonly readAtMs: number;
}

/** How long an execution environment uses the facts that it has read; an update adds its variant before traffic moves. */
const MAX_AGE_MS = 10_000;
const MAX_PIPELINES = 100;

/** Reads `served.json` of pipelines, caches it for some seconds, then revalidates it by its ETag. */
export function servedFacts(objects: SmallObjects, nowMs: () => number): ServedFacts {
  const known = new Map<string, Known>();
  return async (pipeline, fresh = false) => {
    const found = known.get(pipeline);
    if (found !== undefined && !fresh && nowMs() - found.readAtMs < MAX_AGE_MS) return found.served;
    const read = await objects.read(servedJson(pipeline).key, found?.etag);
    known.delete(pipeline);
    const now =
      read === 'unchanged'
        ? found
        : read && { served: servedJson(pipeline).parse(read.text), etag: read.etag };
    if (now === undefined) return undefined;
    known.set(pipeline, { ...now, readAtMs: nowMs() });
    const oldest = known.size > MAX_PIPELINES ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return now.served;
  };
}
