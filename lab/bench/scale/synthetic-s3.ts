import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  etagOf,
  firstAfter,
  INPUTS,
  labelLines,
  LABELS,
  nameOf,
  outputOf,
  OUTPUTS,
  sizeOf,
  TAR_MEMBERS,
  tarBytes,
  tarOf,
} from './synthetic-run.ts';

/**
 * The part of S3 that the steps of a run ask for, over HTTP, in a process of its own. Inputs and outputs are computed when they
 * are listed or read; the labels and what the steps write lie in files. It checks nothing: the laptop's S3 does.
 */
interface Stored {
  readonly file: string;
  readonly size: number;
  readonly etag: string;
}

const COUNT = Number(process.argv[2]);
const [, , , LAYOUT] = process.argv;
/** Whether the answer to each input is an object. */
const HAS_OUTPUTS = LAYOUT === 'objects';
/** Objects of the drop. */
const FILES = LAYOUT === 'tars' ? Math.ceil(COUNT / TAR_MEMBERS) : COUNT;
const LAST_MODIFIED = new Date('2026-01-01T00:00:00.000Z');
const dir = await mkdtemp(path.join(tmpdir(), 'inferdrop-scale-'));
const stored = new Map<string, Stored>();
const uploads = new Map<string, Map<number, Stored>>();
const counts: Record<string, number> = {};
let files = 0;
if (LAYOUT !== 'tars') stored.set(LABELS, await keep([Readable.from(labelLines(COUNT))]));

/** Keeps the bodies as one file. */
async function keep(bodies: Iterable<Readable>): Promise<Stored> {
  const file = path.join(dir, String(files++));
  await writeFile(file, '');
  for (const body of bodies) await pipeline(body, createWriteStream(file, { flags: 'a' }));
  return { file, size: (await stat(file)).size, etag: `f${files}` };
}

function computed(key: string): string | Buffer | undefined {
  if (key === `${INPUTS}_READY`) return '';
  if (LAYOUT === 'tars' && /^\d{8}\.tar$/.test(key.slice(INPUTS.length)))
    return tarBytes(key.slice(INPUTS.length));
  const [, digits] = /^(\d{8})\.png\.out$/.exec(key.slice(OUTPUTS.length)) ?? [];
  return HAS_OUTPUTS && key.startsWith(OUTPUTS) && digits !== undefined
    ? outputOf(Number(digits))
    : undefined;
}

/** The keys after a text, in byte order. */
function* keysAfter(prefix: string, after: string): Generator<{ key: string; size: number; etag: string }> {
  const place = [INPUTS, ...(HAS_OUTPUTS ? [OUTPUTS] : [])].find((known) => prefix.startsWith(known));
  if (place !== undefined) {
    const suffix = place === OUTPUTS ? '.out' : '';
    const rest = after.startsWith(place) ? after.slice(place.length) : '';
    // An output is named after its input: what follows the input's name follows its output.
    const first = firstAfter(suffix !== '' && rest.endsWith(suffix) ? rest.slice(0, -suffix.length) : rest);
    for (let index = LAYOUT === 'tars' ? 0 : first; index < FILES; index++) {
      const name = LAYOUT === 'tars' ? tarOf(index * TAR_MEMBERS) : nameOf(index);
      const key = `${place}${name}${suffix}`;
      if (key <= after) continue;
      yield { key, size: sizeOf(key), etag: etagOf(index) };
    }
    if (place === INPUTS)
      for (const key of [`${INPUTS}_READY`, LABELS])
        if (key > after) yield { key, size: stored.get(key)?.size ?? 0, etag: 'e' };
    return;
  }
  const keys = [...stored.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  for (const key of keys) {
    const object = stored.get(key);
    if (object !== undefined) yield { key, size: object.size, etag: object.etag };
  }
}

function list(query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const limit = Number(query.get('max-keys') ?? 1_000);
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const contents: string[] = [];
  let last = '';
  let isTruncated = false;
  for (const { key, size, etag } of keysAfter(prefix, after)) {
    if (contents.length === limit) {
      isTruncated = true;
      break;
    }
    last = key;
    contents.push(
      `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>` +
        `<ETag>&quot;${etag}&quot;</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
    );
  }
  const next = isTruncated ? `<NextContinuationToken>${last}</NextContinuationToken>` : '';
  return (
    '<?xml version="1.0" ' +
    `encoding="UTF-8"?><ListBucketResult><IsTruncated>${String(isTruncated)}</IsTruncated>${next}<EncodingType>url</EncodingType>${contents.join('')}</ListBucketResult>`
  );
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
  const { searchParams: query } = url;
  const kind = query.has('list-type') ? 'LIST' : (request.method ?? '');
  counts[kind] = (counts[kind] ?? 0) + 1;
  const missing = (): void => {
    response.writeHead(404, { 'content-type': 'application/xml' });
    response.end('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>');
  };
  const xml = (body: string): void => {
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(body);
  };
  if (kind === 'LIST') return xml(list(query));
  const source = request.headers['x-amz-copy-source'];
  const uploadId = query.get('uploadId');
  if (request.method === 'POST' && query.has('uploads')) {
    uploads.set(String(files), new Map());
    return xml(
      `<InitiateMultipartUploadResult><UploadId>${files++}</UploadId></InitiateMultipartUploadResult>`,
    );
  }
  if (request.method === 'POST' && uploadId !== null) {
    const parts = [...(uploads.get(uploadId) ?? [])].sort(([a], [b]) => a - b);
    stored.set(key, await keep(parts.values().map(([, { file }]) => createReadStream(file))));
    return xml('<CompleteMultipartUploadResult><ETag>"j"</ETag></CompleteMultipartUploadResult>');
  }
  if (request.method === 'PUT') {
    if (request.headers['if-none-match'] === '*' && stored.has(key)) {
      response.writeHead(412, { 'content-type': 'application/xml' });
      return void response.end('<Error><Code>PreconditionFailed</Code><Message>there</Message></Error>');
    }
    let object: Stored;
    if (typeof source === 'string') {
      const from = decodeURIComponent(source.split('?')[0] ?? '').replace(/^\/?[^/]+\//, '');
      const made = computed(from);
      const found = made === undefined ? stored.get(from) : await keep([Readable.from([made])]);
      if (found === undefined) return missing();
      object = found;
    } else object = await keep([request]);
    if (uploadId !== null) uploads.get(uploadId)?.set(Number(query.get('partNumber')), object);
    else stored.set(key, object);
    if (typeof source !== 'string') {
      response.writeHead(200, { etag: `"${object.etag}"` });
      return void response.end();
    }
    const result = uploadId === null ? 'CopyObjectResult' : 'CopyPartResult';
    return xml(
      `<${result}><ETag>"${object.etag}"</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></${result}>`,
    );
  }
  const object = stored.get(key);
  const made = object === undefined ? computed(key) : undefined;
  if (object === undefined && made === undefined) return missing();
  const length = object?.size ?? made?.length ?? 0;
  const headers = {
    etag: `"${object?.etag ?? 'e'}"`,
    'last-modified': LAST_MODIFIED.toUTCString(),
    'content-type': 'application/octet-stream',
  };
  if (request.method === 'HEAD') {
    response.writeHead(200, { ...headers, 'content-length': length });
    return void response.end();
  }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const start = from === undefined ? 0 : Number(from);
  const end = to === undefined ? length : Math.min(length, Number(to) + 1);
  response.writeHead(from === undefined ? 200 : 206, {
    ...headers,
    'content-length': end - start,
    ...(from !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${length}` }),
  });
  if (object === undefined || start === end)
    return void response.end(Buffer.from(made ?? '').subarray(start, end));
  await pipeline(createReadStream(object.file, { start, end: end - 1 }), response);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    // A reader that has seen enough hangs up.
    if (!response.destroyed) console.error(request.method, request.url, error);
    response.destroy();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
process.on('message', () => process.send?.({ counts }));
process.on('disconnect', () => {
  server.closeAllConnections();
  server.close();
  void rm(dir, { recursive: true, force: true });
});
