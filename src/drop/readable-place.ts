/** Where the roles of a run may read from. */
export interface ReadablePlaces {
  readonly ownBucket: string;
  /** Of the application's own bucket, each with a slash at its end. */
  readonly ownFolders: readonly string[];
  /** Buckets of the stack parameter ReadBuckets, which may be read as a whole. */
  readonly readBuckets: readonly string[];
}

/** What is wrong with an object or prefix that a person named; undefined where a run may read it. */
export function unreadable(
  { bucket, key, uri }: { readonly bucket: string; readonly key: string; readonly uri: string },
  { ownBucket, ownFolders, readBuckets }: ReadablePlaces,
): string | undefined {
  // S3 takes them as they are; programs that read for us may not.
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
