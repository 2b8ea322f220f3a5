import * as z from 'zod';
import type { SdkCalls } from '../tasks/sdk-calls.ts';

const Listing = z.object({
  Contents: z
    .array(
      z.object({
        Key: z.string(),
        Size: z.number(),
        ETag: z.string(),
        LastModified: z.date(),
        StorageClass: z.string().default('STANDARD'),
      }),
    )
    .default([]),
  NextContinuationToken: z.string().optional(),
});

type ListedObject = z.infer<typeof Listing>['Contents'][number];

/** The whole object, in whatever form the client gives its body. */
export async function readObject(sdk: SdkCalls, input: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const { Body } = await sdk.call('s3', 'getObject', input);
  if (typeof Body === 'string' || Body instanceof Uint8Array) return Buffer.from(Body);
  const toBytes: unknown =
    typeof Body === 'object' && Body !== null ? Reflect.get(Body, 'transformToByteArray') : undefined;
  if (typeof toBytes !== 'function') throw new Error('GetObject gave no body');
  const bytes: unknown = await Reflect.apply(toBytes, Body, []);
  if (!(bytes instanceof Uint8Array)) throw new Error('GetObject gave no bytes');
  return Buffer.from(bytes);
}

/** At most `most` objects, in the order S3 lists them. */
export async function listObjects(
  sdk: SdkCalls,
  input: Readonly<Record<string, unknown>>,
  most: number,
): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  let token: string | undefined;
  do {
    const page = Listing.parse(
      await sdk.call('s3', 'listObjectsV2', {
        ...input,
        ...(token === undefined ? {} : { ContinuationToken: token }),
      }),
    );
    found.push(...page.Contents);
    token = page.NextContinuationToken;
  } while (token !== undefined && found.length < most);
  return found.slice(0, most);
}
