import {
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  ListObjectVersionsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { required } from '../calls/answer.ts';
import { withErrorNames } from '../calls/aws-error.ts';
import type { ObjectInfo, ObjectPage, ObjectStore, ObjectVersion } from './object-store.ts';

type PageOptions = Parameters<ObjectStore['listPage']>[1];
type ListOptions = Parameters<ObjectStore['list']>[1];

/** One page of a bucket: see `ObjectStore`. */
export async function listPage(
  s3: S3Client,
  bucket: string,
  prefix: string,
  options: PageOptions = {},
): Promise<ObjectPage> {
  const answer = await list(s3, bucket, prefix, options);
  const objects = (answer.Contents ?? []).map(({ Key, Size, ETag, LastModified }) => ({
    key: decodeKey(required(Key, 'Contents.Key')),
    size: required(Size, 'Contents.Size'),
    etag: unquoted(ETag),
    lastModified: required(LastModified, 'Contents.LastModified'),
  }));
  const continuation = answer.NextContinuationToken;
  return { objects, ...(continuation !== undefined && { continuation }) };
}

/** All objects below a prefix, page by page. */
export async function* listObjects(
  s3: S3Client,
  bucket: string,
  prefix: string,
  options: ListOptions = {},
): AsyncGenerator<ObjectInfo> {
  let continuation: string | undefined;
  do {
    const page = await listPage(s3, bucket, prefix, {
      ...options,
      ...(continuation !== undefined && { continuation }),
    });
    yield* page.objects;
    continuation = page.continuation;
  } while (continuation !== undefined);
}

/** The common prefixes below `prefix`, one level deep. */
export async function* listFolders(s3: S3Client, bucket: string, prefix: string): AsyncGenerator<string> {
  let continuation: string | undefined;
  do {
    const answer: ListObjectsV2CommandOutput = await list(s3, bucket, prefix, {
      shallow: true,
      ...(continuation !== undefined && { continuation }),
    });
    for (const { Prefix } of answer.CommonPrefixes ?? [])
      yield decodeKey(required(Prefix, 'CommonPrefixes.Prefix'));
    continuation = answer.NextContinuationToken;
  } while (continuation !== undefined);
}

/** The versions and delete markers of one key, at most 1,000: a listing begins with the key that is its prefix. */
export async function listVersions(s3: S3Client, bucket: string, key: string): Promise<ObjectVersion[]> {
  const command = new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key, EncodingType: 'url' });
  const { Versions = [], DeleteMarkers = [] } = await withErrorNames(s3.send(command));
  return [
    ...Versions.map((version) => ({ ...version, isDeleted: false })),
    ...DeleteMarkers.map((marker) => ({ ...marker, isDeleted: true })),
  ]
    .filter(({ Key }) => decodeKey(required(Key, 'Key')) === key)
    .map(({ VersionId, LastModified, isDeleted }) => ({
      versionId: required(VersionId, 'VersionId'),
      lastModified: required(LastModified, 'LastModified'),
      isDeleted,
    }));
}

function list(
  s3: S3Client,
  bucket: string,
  prefix: string,
  { continuation, startAfter, limit, shallow }: NonNullable<PageOptions>,
): Promise<ListObjectsV2CommandOutput> {
  const command = new ListObjectsV2Command({
    Bucket: bucket,
    Prefix: prefix,
    EncodingType: 'url',
    ...(continuation !== undefined && { ContinuationToken: continuation }),
    ...(startAfter !== undefined && { StartAfter: startAfter }),
    ...(limit !== undefined && { MaxKeys: limit }),
    ...(shallow && { Delimiter: '/' }),
  });
  return withErrorNames(s3.send(command));
}

/** Listings are URL-encoded, since XML cannot hold every character that a key may have. */
function decodeKey(encoded: string): string {
  return decodeURIComponent(encoded.replaceAll('+', ' '));
}

/** @throws `IncompleteAnswer` if there is no ETag */
export function unquoted(etag: string | undefined): string {
  return required(etag, 'ETag').replaceAll('"', '');
}
