import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUN_KINDS } from '../../../src/run/run-kind.ts';
import { endedRuns } from './ended-runs.ts';

/**
 * The part of AWS that a list of runs asks, over HTTP, in a process of its own: a stack, its executions, of which none runs, and the index of
 * `pipelines` × `runs` ended runs. Each answer takes the time that AWS takes: for small requests S3's median is tens of milliseconds, by its
 * paper on performance; 1,000 keys of a listing add as much, and an API takes twice that. Handshakes of TLS are left out.
 */
const [pipelines = 0, runs = 0] = process.argv.slice(2).map(Number);
const READ_MS = 30;
const LISTED_KEY_MS = 0.03;
const API_MS = 60;

const entries = new Map(endedRuns(pipelines, runs));
const keys = [...entries.keys()].toSorted();

const OUTPUTS = [
  'BucketName',
  ...Object.values(RUN_KINDS).map(({ machine }) => machine.output),
  ...['EndpointMachineArn', 'UploadQueueUrl', 'DeadLetterQueueUrl', 'ApiUrl'],
];

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams, pathname } = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  if (incoming.method === 'POST') return api(incoming, response);
  const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
  const prefix = searchParams.get('prefix');
  if (prefix === null) {
    await sleep(READ_MS);
    response.setHeader('content-type', 'application/json').end(entries.get(key));
  } else {
    const found = listed(prefix, searchParams);
    await sleep(READ_MS + found.length * LISTED_KEY_MS);
    response.setHeader('content-type', 'application/xml').end(LISTING + found.join('') + LISTING_END);
  }
}

const LISTING = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated>`;
const LISTING_END = '</ListBucketResult>';

/** Elements of a listing: keys, or folders where a delimiter is given. */
function listed(prefix: string, query: URLSearchParams): readonly string[] {
  const found = keys.filter((key) => key.startsWith(prefix));
  if (query.get('delimiter') !== null) {
    const folders = found.map((key) => key.slice(0, key.indexOf('/', prefix.length) + 1));
    return [...new Set(folders)].map((one) => `<CommonPrefixes><Prefix>${one}</Prefix></CommonPrefixes>`);
  }
  return found
    .slice(0, Number(query.get('max-keys') ?? 1_000))
    .map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>2026-01-02T00:00:00.000Z</LastModified><ETag>"0123456789abcdef0123456789abcdef"</ETag><Size>300</Size><StorageClass>STANDARD</StorageClass></Contents>`,
    );
}

async function api(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  await text(incoming);
  await sleep(API_MS);
  if (incoming.headers['x-amz-target'] !== undefined)
    return void response.setHeader('content-type', 'application/x-amz-json-1.0').end('{"executions":[]}');
  const outputs = OUTPUTS.map(
    (name) =>
      `<member><OutputKey>${name}</OutputKey><OutputValue>${name.toLowerCase()}</OutputValue></member>`,
  );
  response
    .setHeader('content-type', 'text/xml')
    .end(
      `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackName>inferdrop-dev</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${outputs.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
}

const server = createServer((incoming, response) => void answer(incoming, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
