import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { jsonService } from '../../kernel/json-service.ts';
import { localGateway } from '../support/local-gateway.ts';

const calls: string[] = [];
let gateway: Awaited<ReturnType<typeof localGateway>>;
let link = '';

beforeAll(async () => {
  gateway = await localGateway(() => [
    jsonService({
      name: 'states',
      target: 'AWSStepFunctions',
      version: '1.0',
      actions: [
        action('ListStateMachines', {
          input: z.unknown(),
          run() {
            calls.push('ListStateMachines');
            return { stateMachines: [] };
          },
        }),
      ],
    }),
  ]);
  const client = new S3Client({ ...gateway.client, forcePathStyle: true });
  link = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'bucket', Key: 'report.html' }));
});
afterAll(() => gateway.close());

test('a link to an object makes its signer call no other service, whatever is sent with it', async () => {
  const { pathname, search } = new URL(link);
  const target = `${gateway.endpoint}${pathname}${search}`;
  const answer = await fetch(target, { headers: { 'x-amz-target': 'AWSStepFunctions.ListStateMachines' } });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('which were not signed: x-amz-target');
  expect(calls).toEqual([]);
});
