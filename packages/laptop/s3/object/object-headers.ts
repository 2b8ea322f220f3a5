import { checksumHeader } from '../checksum/checksum-digest.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { quoted } from '../xml/s3-xml.ts';
import { versionHeader } from './store-version.ts';

/** The headers that GetObject and HeadObject have in common. */
export function objectHeaders(
  storage: ObjectStorage,
  bucket: string,
  version: ObjectVersion,
): Readonly<Record<string, string>> {
  const metadata = Object.entries(version.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]);
  const tagCount = Object.keys(version.tags).length;
  return {
    ...version.headers,
    ...Object.fromEntries(metadata),
    etag: quoted(version.etag),
    'last-modified': new Date(version.lastModifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
    ...versionHeader(storage, bucket, version),
    ...(tagCount === 0 ? {} : { 'x-amz-tagging-count': String(tagCount) }),
  };
}

/** The checksum of the whole object, as a reader that asks for it gets it. */
export function checksumHeaders({ checksum }: ObjectVersion): Readonly<Record<string, string>> {
  if (!checksum) return {};
  return { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': checksum.type };
}

/** The headers of `version` that describe its encryption to a writer. */
export function encryptionAnswer({
  headers,
}: {
  readonly headers: Readonly<Record<string, string>>;
}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('x-amz-server-side-encryption')),
  );
}
