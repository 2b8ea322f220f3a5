/**
 * Processor time of a Lambda for each input that it reads, and for each member of a tar that it writes, for docs/scale.md:
 *
 *     npm run bench -- requests [members]
 *
 * It uses the S3 of lab/bench/scale.ts, over HTTP without TLS, in a process of its own.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { indexTars } from '../../../src/app/inputs/index-tars.ts';
import { objectStore } from '../../../src/aws/s3/s3-object-store.ts';
import { inOrder } from '../../../src/concurrency/in-order.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../../test/support/a-run.ts';
import { packedTar } from '../../../test/support/packed-tar.ts';
import { BUCKET } from './synthetic-run.ts';

const MEMBERS = Number(process.argv[2] ?? 4_000);
const BYTES = 3_000;
const AT_ONCE = 16;
const RUN = aRun('bench/tars/000001');
const PREFIX = 'bench-tars/';

const s3 = fork(new URL('./synthetic-s3.ts', import.meta.url), ['0', 'objects']);
const [{ port }] = await once(s3, 'message');
Object.assign(process.env, {
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
});
const store = objectStore({ bucket: BUCKET });
const names = Array.from({ length: MEMBERS }, (_, at) => `${String(at).padStart(8, '0')}.png`);
const key = `${PREFIX}a.tar`;
await store.write(key, await packedTar(names.map((name) => [name, Buffer.alloc(BYTES, name)] as const)));
const found = await store.describe(key);
if (found === undefined) throw new Error(`${key} is not there`);
const object = { key, size: found.size, etag: found.etag, lastModified: found.lastModified.toISOString() };

async function msEach(what: string, work: () => Promise<unknown>): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  console.log(`${what}: ${((user + system) / 1_000 / MEMBERS).toFixed(3)} ms of processor time each`);
}

const settings = {
  bucket: BUCKET,
  prefix: PREFIX,
  largestBytes: null,
  cutsLines: false,
  unpacks: true,
  images: true,
  labels: null,
  table: null,
  sent: { contentType: 'application/x-image', splitType: 'None' },
};
const share = { what: 'tar', object, mostMembers: MEMBERS } as const;
const copies = bucketLayout.unpacked(RUN);
const index = () =>
  indexTars({ run: RUN, item: 0, settings, share, copies }, { store, leftMs: () => Infinity });
const read = async (): Promise<void> => {
  const bodies = inOrder(names, AT_ONCE, (name) => store.readBytes(`${copies}a.tar/${name}`));
  for await (const [name, body] of bodies)
    if (body?.length !== BYTES) throw new Error(`${name} has not been written`);
};
await msEach('first members, while code is compiled', index);
await msEach('members that are written', index);
await msEach('inputs that are read', read);
await msEach('inputs that are read again', read);
s3.disconnect();
