import { createHash } from 'node:crypto';
import { CreateBucketCommand, ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Gateway } from '../../gateway/gateway.ts';
import { action } from '../../kernel/action.ts';
import { systemClock } from '../../kernel/clock.ts';
import { jsonService } from '../../kernel/json-service.ts';
import { createS3 } from '../../s3/service.ts';
import { createSts } from '../../sts/service.ts';
import { localGateway } from '../support/local-gateway.ts';
import { manualClock } from '../support/manual-clock.ts';
import { rawS3 } from '../support/raw-s3.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Local = Awaited<ReturnType<typeof localGateway>>;

async function withGateway(
  options: Parameters<typeof localGateway>[1],
  test: (
    gateway: Local,
    call: Record<'s3' | 'sts' | 'states', (settings?: object) => Promise<unknown>>,
  ) => Promise<void>,
): Promise<void> {
  const dir = temporaryFolder('gateway-');
  const gateway = await localGateway(
    (site) => [
      jsonService({
        name: 'states',
        target: 'AWSStepFunctions',
        version: '1.0',
        actions: [action('ListStateMachines', { input: z.unknown(), run: () => ({ stateMachines: [] }) })],
      }),
      createSts({ site }).service,
      createS3({ dir, site, bus: { put() {} }, clock: systemClock }).service,
    ],
    options,
  );
  try {
    await test(gateway, {
      s3: (settings = {}) =>
        new S3Client({ ...gateway.client, ...settings }).send(new ListBucketsCommand({})),
      sts: (settings = {}) =>
        new STSClient({ ...gateway.client, ...settings }).send(new GetCallerIdentityCommand({})),
      states: (settings = {}) =>
        new SFNClient({ ...gateway.client, ...settings }).send(new ListStateMachinesCommand({})),
    });
  } finally {
    await gateway.close();
  }
}

it('refuses a wrong secret in the words of each protocol', async () => {
  await withGateway({}, async (_, call) => {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'wrong' };
    await expect(call.s3({ credentials })).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    await expect(call.sts({ credentials })).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    await expect(call.states({ credentials })).rejects.toMatchObject({ name: 'InvalidSignatureException' });
  });
});

it('refuses an access key that is not among those it was started with', async () => {
  await withGateway({ credentials: { mine: 'secret' } }, async (_, call) => {
    const mine = { accessKeyId: 'mine', secretAccessKey: 'secret' };
    await expect(call.s3({ credentials: mine })).resolves.toBeDefined();
    await expect(call.s3()).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
    await expect(call.sts()).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
    await expect(call.states()).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });
});

it('refuses a request that is signed more than a quarter of an hour away', async () => {
  await withGateway({ clock: manualClock(Date.now() + 60 * 60_000) }, async (_, call) => {
    await expect(call.s3()).rejects.toMatchObject({ name: 'RequestTimeTooSkewed' });
    await expect(call.states()).rejects.toMatchObject({
      name: 'InvalidSignatureException',
      message: expect.stringMatching(/^Signature expired: \d{8}T\d{6}Z is now earlier than /),
    });
  });
  await withGateway({ clock: manualClock(Date.now() - 60 * 60_000) }, async (_, call) => {
    await expect(call.states()).rejects.toMatchObject({
      message: expect.stringMatching(/^Signature not yet current: /),
    });
  });
  await withGateway({ clock: manualClock(Date.now() + 10 * 60_000) }, async (_, call) => {
    await expect(call.s3()).resolves.toBeDefined();
  });
});

it('refuses another region, and says which one to set', async () => {
  await withGateway({}, async (_, call) => {
    const region = 'eu-west-1';
    await expect(call.s3({ region })).rejects.toMatchObject({
      message: expect.stringContaining('AWS_REGION=us-east-1'),
    });
    await expect(call.states({ region })).rejects.toMatchObject({ name: 'InvalidSignatureException' });
  });
});

it('refuses a body that is not the one that was signed', async () => {
  await withGateway({}, async (gateway) => {
    const call = (payload: string) =>
      rawS3(gateway.endpoint, {
        method: 'POST',
        path: '/',
        service: 'states',
        headers: { 'x-amz-target': 'AWSStepFunctions.ListStateMachines', 'content-length': '2' },
        body: Buffer.from('{}'),
        payloadHash: createHash('sha256').update(payload).digest('hex'),
      });
    expect(await call('{}')).toMatchObject({ status: 200 });
    expect(await call('[]')).toMatchObject({
      status: 400,
      text: expect.stringContaining('InvalidSignatureException'),
    });
  });
});

it('refuses an unsigned request', async () => {
  await withGateway({}, async (gateway) => {
    const anonymous = await fetch(`${gateway.endpoint}/data`);
    expect([anonymous.status, await anonymous.text()]).toEqual([
      403,
      expect.stringContaining('AccessDenied'),
    ]);
    const json = await post(gateway, { 'x-amz-target': 'AWSStepFunctions.ListStateMachines' }, '{}');
    expect(json).toEqual([403, expect.stringContaining('MissingAuthenticationTokenException')]);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const query = await post(gateway, form, 'Action=GetCallerIdentity&Version=2011-06-15');
    expect(query).toEqual([403, expect.stringContaining('MissingAuthenticationToken')]);
    const half = await fetch(`${gateway.endpoint}/data`, {
      headers: { authorization: 'AWS4-HMAC-SHA256 Credential=a' },
    });
    expect([half.status, await half.text()]).toEqual([
      400,
      expect.stringContaining('AuthorizationHeaderMalformed'),
    ]);
  });
});

it('answers every refused request in order on one connection', async () => {
  await withGateway({}, async (gateway) => {
    const client = new S3Client({
      ...gateway.client,
      credentials: { accessKeyId: 'test', secretAccessKey: 'wrong' },
    });
    for (let i = 0; i < 5; i++) {
      await expect(client.send(new CreateBucketCommand({ Bucket: 'data' }))).rejects.toMatchObject({
        $metadata: { httpStatusCode: 403 },
      });
    }
  });
});

async function post(
  gateway: Gateway,
  headers: Record<string, string>,
  body: string,
): Promise<[number, string]> {
  const answer = await fetch(gateway.endpoint, { method: 'POST', headers, body });
  return [answer.status, await answer.text()];
}
