import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';

/** Entries that are kept: far more than the pages show. */
const MAX_KEPT = 20_000;

/**
 * A store that reads an entry of the index of runs once for each content: a listing tells its ETag, so a list of a thousand runs costs one
 * request after the first time. Everything else is read from the bucket.
 */
export function rememberedIndex(store: ObjectStore): ObjectStore {
  const listed = new Map<string, string>();
  const kept = new Map<string, { readonly etag: string; readonly text: string }>();
  const isEntry = (key: string): boolean => key.startsWith(bucketLayout.indexes('inference'));
  return {
    ...store,
    bucket: store.bucket,
    async listPage(prefix, options) {
      const page = await store.listPage(prefix, options);
      if (isEntry(prefix)) for (const { key, etag } of page.objects) listed.set(key, etag);
      return page;
    },
    async readText(key) {
      const etag = isEntry(key) ? listed.get(key) : undefined;
      const found = kept.get(key);
      if (etag !== undefined && found?.etag === etag) return found.text;
      const text = await store.readText(key);
      if (etag === undefined || text === undefined) return text;
      if (kept.size >= MAX_KEPT) {
        kept.clear();
        listed.clear();
      }
      kept.set(key, { etag, text });
      return text;
    },
  };
}
