import type { MapObjects } from '../../states/map/map-objects.ts';

/** Objects of Distributed Maps in memory, by `bucket/key`. */
export function memoryMapObjects(objects: Map<string, string>): MapObjects {
  return {
    async read(bucket, key) {
      const body = objects.get(`${bucket}/${key}`);
      if (body === undefined) throw new Error('The specified key does not exist.');
      return body;
    },
    write: async (bucket, key, json) => void objects.set(`${bucket}/${key}`, json),
    close: () => undefined,
  };
}
