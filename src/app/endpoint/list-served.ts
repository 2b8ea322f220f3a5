import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import { instancesOf } from '../../endpoint/instances.ts';
import { toCandidateName } from '../../endpoint/names.ts';
import { liveVariant, type Served } from '../../endpoint/served.ts';
import { endpointKind } from '../../endpoints/kinds.ts';
import { bucketLayout, folderName } from '../../run/bucket-layout.ts';
import { changeJson, servedJson } from '../records/endpoint.ts';

/** The endpoint that serves a pipeline, and its cost. */
export interface ServedLine {
  readonly pipeline: string;
  readonly endpoint: string;
  readonly status: string;
  /** The endpoint on which the next model is being tested; null if none is. */
  readonly candidate: { readonly endpoint: string; readonly status: string } | null;
  /** The change that is under way, before and after it has a candidate; null if none is. */
  readonly change: { readonly action: 'deploy' | 'delete'; readonly run: string | null } | null;
  /** The run that deployed it, or restarted its lifetime. */
  readonly run: string | null;
  /** A newer run of the same model on the same hardware, which changed nothing; null if there's none. */
  readonly agrees: string | null;
  readonly hardware: string | null;
  /** Whether it costs nothing while it is idle. */
  readonly isPaidByUse: boolean;
  readonly hourlyUsd: number | null;
  /** With autoscaling, the price of the most instances (`hourlyUsd` is the price of the fewest); null without autoscaling. */
  readonly maxHourlyUsd: number | null;
  /** Instances in service now; null if there are none, and for endpoints that are gone. */
  readonly instances: number | null;
  readonly expiresAt: string | null;
}

/** Where the endpoints of a deployment are. */
export interface ServedPlaces {
  readonly store: ObjectStore;
  readonly endpoints: Pick<Endpoints, 'describe'>;
  readonly endpointPrefix: string;
  readonly bucket: string;
}

/** Lists the endpoint of each pipeline that has one, in the order of the pipelines' names. */
export async function listServed(places: ServedPlaces): Promise<readonly ServedLine[]> {
  const lines: ServedLine[] = [];
  for await (const folder of places.store.listFolders(bucketLayout.endpoints())) {
    const served = await servedJson(folderName(folder)).read(places.store);
    if (served !== undefined) lines.push(await toLine(places, served));
  }
  return lines;
}

async function toLine(
  { store, endpoints, endpointPrefix, bucket }: ServedPlaces,
  served: Served,
): Promise<ServedLine> {
  const candidateName = toCandidateName({ prefix: endpointPrefix, bucket }, served.pipeline);
  const [found, candidate, change] = await Promise.all([
    endpoints.describe(served.endpointName),
    endpoints.describe(candidateName),
    changeJson(served.pipeline).read(store),
  ]);
  const live = liveVariant(served);
  return {
    pipeline: served.pipeline,
    endpoint: served.endpointName,
    status: found?.status ?? 'gone',
    candidate: candidate === undefined ? null : { endpoint: candidateName, status: candidate.status },
    change: change === undefined ? null : { action: change.action, run: change.run },
    run: live?.deployedBy ?? null,
    agrees: live === undefined || live.run === live.deployedBy ? null : live.run,
    hardware: live?.hardware ?? null,
    isPaidByUse: live !== undefined && endpointKind(live.kind).isPaidByUse,
    hourlyUsd: served.hourlyUsd,
    maxHourlyUsd: served.maxHourlyUsd,
    // An endpoint that scales to zero may have no instances.
    instances: found === undefined ? null : instancesOf(found) || (found.hostsComponents ? 0 : null),
    expiresAt: served.expiresAt,
  };
}
