import type { EndpointRow } from '../../api/console/endpoint-row.ts';
import { listServed, type ServedPlaces } from '../endpoint/list-served.ts';
import { servedJson } from '../records/endpoint.ts';

/** The endpoint of each pipeline that has one, and the change of it that is under way. */
export async function endpointRows(places: ServedPlaces): Promise<readonly EndpointRow[]> {
  const lines = await listServed(places);
  const rows = lines.map(async ({ candidate, ...line }): Promise<EndpointRow[]> => {
    const served = await servedJson(line.pipeline).read(places.store);
    // Deleted between the list and this look.
    if (served === undefined) return [];
    return [
      {
        ...line,
        candidate: candidate?.status ?? null,
        deployedAt: served.deployedAt,
        idleHours: served.idleHours,
      },
    ];
  });
  return (await Promise.all(rows)).flat();
}
