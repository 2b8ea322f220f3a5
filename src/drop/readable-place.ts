/** Where the roles of a run may read from. */
export interface ReadablePlaces {
  readonly ownBucket: string;
  /** Folders of the application's own bucket, each with a trailing slash. */
  readonly ownFolders: readonly string[];
  /** Buckets of the stack parameter ReadBuckets, which may be read as a whole. */
  readonly readBuckets: readonly string[];
}

/** Why a run may not read an object or prefix that a person named; undefined if it may. */
export function unreadable(
  { bucket, key, uri }: { readonly bucket: string; readonly key: string; readonly uri: string },
  { ownBucket, ownFolders, readBuckets }: ReadablePlaces,
): string | undefined {
  // S3 takes such names literally; HTTP clients may resolve them.
  if (key.split('/').some((folder) => folder === '..' || folder === '.'))
    return `must not have a folder named . or .., is ${uri}`;
  if (
    bucket === ownBucket ? ownFolders.some((folder) => key.startsWith(folder)) : readBuckets.includes(bucket)
  )
    return undefined;
  const own = ownFolders.map((folder) => `s3://${ownBucket}/${folder}`);
  const allowed = [...own, ...readBuckets.map((name) => `s3://${name}/`)].join(' or ');
  return `must begin with ${allowed}, is ${uri}: copy it there, or add its bucket to the stack parameter ReadBuckets`;
}
