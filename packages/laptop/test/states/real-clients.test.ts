import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createS3 } from '../../s3/service.ts';
import { createStates } from '../../states/service.ts';
import { localGateway } from '../support/local-gateway.ts';
import { invoke, jsonata } from '../support/local-states.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dir: string;
let gateway: Awaited<ReturnType<typeof localGateway>>;
let s3: S3Client;
let sfn: SFNClient;

beforeAll(async () => {
  dir = temporaryFolder('states-');
  const bus = { put: () => undefined };
  const logs = { write: () => undefined };
  gateway = await localGateway(
    (site) => {
      const functions = {
        invoke: async (_: string, payload: Buffer) => ({ payload, requestId: 'r' }),
        invokeLater: () => undefined,
      };
      const states = createStates({
        dir: join(dir, 'states'),
        site,
        clock: systemClock,
        bus,
        logs,
        functions,
      });
      return [states.service, createS3({ dir: join(dir, 's3'), site, bus, clock: systemClock }).service];
    },
    { credentials: { test: 'test', states: 'test' } },
  );
  s3 = new S3Client(gateway.client);
  sfn = new SFNClient(gateway.client);
  await s3.send(new CreateBucketCommand({ Bucket: 'bucket' }));
});
afterAll(async () => {
  s3.destroy();
  sfn.destroy();
  await gateway.close();
});

let machines = 0;
async function run(
  definition: object,
  input: unknown = {},
): Promise<{ output: unknown; error: string | undefined }> {
  const name = `m${++machines}`;
  const { stateMachineArn } = await sfn.send(
    new CreateStateMachineCommand({
      name,
      definition: JSON.stringify(definition),
      roleArn: 'arn:aws:iam::000000000000:role/r',
    }),
  );
  const { executionArn } = await sfn.send(
    new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }),
  );
  const end = await expect
    .poll(() => sfn.send(new DescribeExecutionCommand({ executionArn })))
    .not.toMatchObject({ status: 'RUNNING' })
    .then(() => sfn.send(new DescribeExecutionCommand({ executionArn })));
  return { output: end.output === undefined ? undefined : JSON.parse(end.output), error: end.error };
}

test('a Distributed Map reads from S3 and writes to S3', async () => {
  await s3.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'items.json', Body: '[{"n":1},{"n":2}]' }));
  const { output } = await run(
    jsonata({
      A: {
        Type: 'Map',
        ItemReader: {
          Resource: 'arn:aws:states:::s3:getObject',
          ReaderConfig: { InputType: 'JSON' },
          Arguments: { Bucket: 'bucket', Key: 'items.json' },
        },
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          StartAt: 'B',
          States: { B: invoke('echo') },
        },
        ResultWriter: {
          Resource: 'arn:aws:states:::s3:putObject',
          Arguments: { Bucket: 'bucket', Prefix: 'out' },
        },
        Output: '{% $states.result.ResultWriterDetails.Key %}',
        End: true,
      },
    }),
  );
  const read = async (Key: string): Promise<ReturnType<typeof JSON.parse>> => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'bucket', Key }));
    return JSON.parse(await Body!.transformToString());
  };
  const { ResultFiles } = await read(String(output));
  const results: { Output: string }[] = await read(ResultFiles.SUCCEEDED[0].Key);
  expect(results.map(({ Output }) => Output).sort()).toEqual(['{"n":1}', '{"n":2}']);
});
