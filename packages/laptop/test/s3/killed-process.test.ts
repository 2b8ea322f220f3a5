import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createS3 } from '../../s3/service.ts';
import { localSite } from '../support/local-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Writes objects without end, some over and over, and prints each as it is answered: key, a space, MD5. */
const WRITER = `
  import { systemClock } from '${join(process.cwd(), 'packages/laptop/kernel/clock.ts')}';
  import { createS3 } from '${join(process.cwd(), 'packages/laptop/s3/service.ts')}';
  const site = { account: '000000000000', region: 'us-east-1', partition: 'aws', endpoint: () => '' };
  const { objects, resources } = createS3({ dir: process.argv[1], site, bus: { put() {} }, clock: systemClock });
  await resources['AWS::S3::Bucket'].apply({ BucketName: 'data' }, { stackName: 's', logicalId: 'b', physicalId: undefined, site });
  for (let i = 0; ; i++) {
    const key = i % 3 === 0 ? 'again' : 'k' + i;
    const { etag } = await objects.write('data', key, Buffer.alloc(i % 5_000, String(i)));
    process.stdout.write(key + ' ' + etag + '\\n');
    if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
`;

it('loses nothing that it answered when its process is killed', async () => {
  const dir = temporaryFolder('local-s3-');
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const answered = new Map<string, string>();
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const [key = '', etag = ''] = line.split(' ');
    answered.set(key, etag);
    if (answered.size === 500) child.kill('SIGKILL');
  }
  await exited;
  const { objects, service } = createS3({ dir, site: localSite, bus: { put() {} }, clock: systemClock });
  expect(answered.size).toBeGreaterThanOrEqual(500);
  answered.delete('again');
  for (const [key, etag] of answered) {
    const body = await objects.read('data', key);
    expect([key, body && createHash('md5').update(body).digest('hex')]).toEqual([key, etag]);
  }
  await service.close();
});
