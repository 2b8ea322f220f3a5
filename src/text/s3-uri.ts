/** Bucket and key of an S3 URI; the key may be empty. Undefined for another text. */
export function parseS3Uri(uri: string): { readonly bucket: string; readonly key: string } | undefined {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/?(.*)$/s.exec(uri) ?? [];
  return bucket === undefined || key === undefined ? undefined : { bucket, key };
}
