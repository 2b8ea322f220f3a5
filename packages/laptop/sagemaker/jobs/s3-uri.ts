/** A bucket with a key or key prefix, which may be empty. */
export interface S3Location {
  readonly bucket: string;
  readonly key: string;
}

/** Parses `s3://bucket/key`; undefined if the text is not such a URI. */
export function parseS3Uri(uri: string): S3Location | undefined {
  const match = /^s3:\/\/([^/]+)(?:\/(.*))?$/s.exec(uri);
  return match?.[1] === undefined ? undefined : { bucket: match[1], key: match[2] ?? '' };
}

/** For URIs that were checked when the job was created. */
export function requireS3Uri(uri: string): S3Location {
  const location = parseS3Uri(uri);
  if (!location) throw new Error(`${uri} must be an S3 URI of the form s3://bucket/key`);
  return location;
}

/** A URI, or a path, without the slashes at its end. */
export function withoutTrailingSlashes(uri: string): string {
  return uri.replace(/(?<!\/)\/+$/, '');
}
