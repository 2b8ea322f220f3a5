import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Credentials } from '../../kernel/permission.ts';
import type { Site } from '../../kernel/service.ts';

/** The calls of S3 that a Distributed Map makes: its ItemReader and its ResultWriter. */
export interface MapObjects {
  /** @throws {Error} with S3's reason */
  read(bucket: string, key: string): Promise<string>;
  /** @throws {Error} with S3's reason */
  write(bucket: string, key: string, json: string): Promise<void>;
  close(): void;
}

/** A client of the stack's own endpoint that signs as a role, so that the policies of buckets and keys also apply. */
export function mapObjects(site: Site, endpoint: () => string, credentials: Credentials): MapObjects {
  let client: S3Client | undefined;
  const s3 = (): S3Client =>
    (client ??= new S3Client({
      region: site.region,
      endpoint: endpoint(),
      credentials,
      forcePathStyle: true,
    }));
  return {
    async read(Bucket, Key) {
      const { Body } = await s3().send(new GetObjectCommand({ Bucket, Key }));
      return (await Body?.transformToString()) ?? '';
    },
    async write(Bucket, Key, json) {
      await s3().send(new PutObjectCommand({ Bucket, Key, Body: json, ContentType: 'application/json' }));
    },
    close: () => client?.destroy(),
  };
}
