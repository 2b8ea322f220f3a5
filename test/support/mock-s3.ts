import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';

interface Stored {
  readonly body: Buffer;
  readonly at: Date;
}

/** Objects by `bucket/key`, answered by every S3 client of this process as S3 answers. */
export interface MockS3 {
  readonly objects: Map<string, Stored>;
  put(path: string, body: string | Uint8Array, at?: Date): void;
  json(path: string): any;
  /** Keys of the bucket below a prefix. */
  keys(path: string): string[];
  restore(): void;
}

/** Takes the place of the network under the S3 client: each command is answered from a map. */
export function mockS3(): MockS3 {
  const objects = new Map<string, Stored>();
  const mock = mockClient(S3Client);
  const find = (bucket: string | undefined, key: string | undefined): Stored => {
    const found = objects.get(`${bucket}/${key}`);
    if (!found) throw refusal('NoSuchKey', 404, 'The specified key does not exist.');
    return found;
  };
  mock.on(GetObjectCommand).callsFake(({ Bucket, Key, Range }) => {
    const { body, at } = find(Bucket, Key);
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(Range ?? '') ?? [];
    const part = start === undefined ? body : body.subarray(Number(start), Number(end) + 1);
    const Body = Object.assign(Readable.from([part]), {
      transformToString: async () => part.toString('utf8'),
      transformToByteArray: async () => new Uint8Array(part),
    });
    return { Body, ...head({ body, at }), ContentLength: part.length };
  });
  mock.on(HeadObjectCommand).callsFake(({ Bucket, Key }) => {
    if (!objects.has(`${Bucket}/${Key}`)) throw refusal('NotFound', 404, 'UnknownError');
    const found = find(Bucket, Key);
    const ChecksumSHA256 = createHash('sha256').update(found.body).digest('base64');
    return { ...head(found), ChecksumSHA256, ChecksumType: 'FULL_OBJECT' };
  });
  mock.on(PutObjectCommand).callsFake(({ Bucket, Key, Body, IfNoneMatch }) => {
    const path = `${Bucket}/${Key}`;
    if (IfNoneMatch === '*' && objects.has(path))
      throw refusal(
        'PreconditionFailed',
        412,
        'At least one of the pre-conditions you specified did not hold',
      );
    const stored = { body: Buffer.from(Body ?? ''), at: new Date() };
    objects.set(path, stored);
    return { ETag: etag(stored.body) };
  });
  mock.on(CopyObjectCommand).callsFake(({ Bucket, Key, CopySource = '' }) => {
    const [source = ''] = CopySource.split('?');
    const [bucket, ...key] = decodeURIComponent(source).split('/');
    objects.set(`${Bucket}/${Key}`, find(bucket, key.join('/')));
    return {};
  });
  mock.on(DeleteObjectCommand).callsFake(({ Bucket, Key }) => {
    objects.delete(`${Bucket}/${Key}`);
    return {};
  });
  mock.on(ListObjectsV2Command).callsFake(({ Bucket, Prefix = '', Delimiter, StartAfter = '' }) => {
    const keys = [...objects.keys()]
      .filter((path) => path.startsWith(`${Bucket}/${Prefix}`))
      .map((path) => path.slice(`${Bucket}/`.length))
      .filter((key) => key > StartAfter)
      .sort();
    const folderOf = (key: string): string | undefined => {
      const end = Delimiter === undefined ? -1 : key.indexOf(Delimiter, Prefix.length);
      return end === -1 ? undefined : key.slice(0, end + 1);
    };
    const folders = new Set(keys.map(folderOf).filter((folder) => folder !== undefined));
    return {
      Contents: keys
        .filter((key) => folderOf(key) === undefined)
        .map((key) => {
          const { ContentLength: Size, ETag, LastModified } = head(find(Bucket, key));
          return { Key: encodeURIComponent(key), Size, ETag, LastModified };
        }),
      CommonPrefixes: [...folders].map((Prefix) => ({ Prefix })),
    };
  });
  return {
    objects,
    put: (path, body, at = new Date()) => void objects.set(path, { body: Buffer.from(body), at }),
    json: (path) => JSON.parse(objects.get(path)?.body.toString('utf8') ?? 'null'),
    keys: (path) => [...objects.keys()].filter((key) => key.startsWith(path)).sort(),
    restore: () => mock.restore(),
  };
}

function head({ body, at }: Stored) {
  return { ContentLength: body.length, ETag: etag(body), LastModified: at };
}

function etag(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

/** An error as the SDK makes it of an answer. */
export function refusal(name: string, httpStatusCode: number, message = name): Error {
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });
}
