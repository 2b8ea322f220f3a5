import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createS3 } from '../../s3/service.ts';
import { localSite } from '../support/local-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Makes objects with long keys until a line of the journal finds no room, then two whose lines still do; prints what was answered. */
const WRITER = `
  import { systemClock } from '${join(process.cwd(), 'packages/laptop/kernel/clock.ts')}';
  import { createS3 } from '${join(process.cwd(), 'packages/laptop/s3/service.ts')}';
  const site = { account: '000000000000', region: 'us-east-1', partition: 'aws', endpoint: () => '' };
  const { objects, resources, service } = createS3({ dir: process.argv[1], site, bus: { put() {} }, clock: systemClock });
  await resources['AWS::S3::Bucket'].apply({ BucketName: 'data' }, { stackName: 's', logicalId: 'b', physicalId: undefined, site });
  const answered = [];
  const write = async (key) => { await objects.write('data', key, Buffer.from('')); answered.push(key); };
  let refusal;
  while (refusal === undefined)
    await write(String(answered.length).padEnd(1000, '-')).catch((error) => { refusal = error.code; });
  for (const key of ['a', 'b']) await write(key).catch(() => undefined);
  console.log(JSON.stringify({ answered, refusal }));
  await service.close();
`;

// A limit on the size of files tears a line as a full disk does; Windows has none.
it.skipIf(process.platform === 'win32')('keeps all that it answered when the disk is full', async () => {
  const dir = temporaryFolder('local-s3-');
  const child = spawn(
    'bash',
    [
      '-c',
      `trap '' XFSZ; ulimit -f 64; exec "$0" "$@"`,
      process.execPath,
      '--input-type=module',
      '-e',
      WRITER,
      dir,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const { answered, refusal } = JSON.parse(printed) as { answered: string[]; refusal: string };
  expect(refusal).toBe('EFBIG');
  expect(answered.length).toBeGreaterThan(10);
  expect(answered).toContain('a');
  const { objects, service } = createS3({ dir, site: localSite, bus: { put() {} }, clock: systemClock });
  for (const key of answered) expect(await objects.read('data', key)).toEqual(Buffer.from(''));
  await service.close();
});
