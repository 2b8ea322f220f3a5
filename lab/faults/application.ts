import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListBucketsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ListEndpointsCommand, ListTransformJobsCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import {
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { ListTopicsCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { Ledger } from './ledger.ts';

/** The deployed application as its users have it: a bucket, messages, and what the account says of itself. */
export interface CampaignApplication {
  readonly bucket: string;
  readonly s3: S3Client;
  readonly sfn: SFNClient;
  readonly sagemaker: SageMakerClient;
  readonly sqs: SQSClient;
  readonly uploads: string;
  readonly ledger: Ledger;
  /** Bodies of the messages that came, by SNS message id, by run. */
  readonly messages: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Uploads until it is acknowledged. */
  put(key: string, body: Buffer | string): Promise<void>;
  /** Brings upload events back from the dead letters, as an operator does after the alarm; gives their number. */
  redrive(): Promise<number>;
  /** Takes the messages that have come. */
  readInbox(): Promise<void>;
  /** Executions that run, with the queue's upload events. */
  busy(): Promise<string[]>;
  /**
   * Steps of executions, jobs and changes of endpoints that would lose their work if the stack were killed; empty if everything
   * busy is only waiting for its moment.
   */
  working(): Promise<string[]>;
}

/** Last events of an execution that only waits: in a Wait state, or until a step is tried again. */
const WAITS: readonly string[] = ['WaitStateEntered', 'TaskFailed', 'TaskTimedOut'];

/** Connects to the stack that keeps its data in `dataDir`, and subscribes to its messages. */
export async function connectTo(dataDir: string): Promise<CampaignApplication> {
  const { endpoint, accessKeyId, secretAccessKey } = JSON.parse(
    await readFile(path.join(dataDir, 'credentials.json'), 'utf8'),
  );
  const client = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
  };
  const s3 = new S3Client({ ...client, forcePathStyle: true });
  const sfn = new SFNClient(client);
  const sagemaker = new SageMakerClient(client);
  const sqs = new SQSClient(client);
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  const bucket = Buckets.find(
    ({ Name = '' }) => Name.startsWith('inferdrop-dev') && !Name.includes('deployment'),
  )!.Name!;
  const inbox = await subscribe(sqs, new SNSClient(client));
  const { QueueUrl: uploads = '' } = await sqs.send(
    new GetQueueUrlCommand({ QueueName: 'inferdrop-dev-uploads' }),
  );
  const { QueueUrl: deadLetters = '' } = await sqs.send(
    new GetQueueUrlCommand({ QueueName: 'inferdrop-dev-dead-letters' }),
  );
  const ledger = new Ledger();
  const messages = new Map<string, Map<string, string>>();
  const waiting = async (): Promise<number> => {
    const attributes = new GetQueueAttributesCommand({ QueueUrl: uploads, AttributeNames: ['All'] });
    const { Attributes } = await insist(() => sqs.send(attributes));
    const counts: Readonly<Record<string, string>> = Attributes ?? {};
    return ['', 'NotVisible', 'Delayed']
      .map((kind) => Number(counts[`ApproximateNumberOfMessages${kind}`]))
      .reduce((sum, count) => sum + count);
  };
  const running = async (): Promise<{ readonly name: string; readonly executionArn: string }[]> => {
    const { stateMachines = [] } = await insist(() => sfn.send(new ListStateMachinesCommand({})));
    const lists = stateMachines.map(async ({ stateMachineArn }) => {
      const list = new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING' });
      const { executions = [] } = await insist(() => sfn.send(list));
      return executions.map(({ name, executionArn }) => ({ name: name!, executionArn: executionArn! }));
    });
    return (await Promise.all(lists)).flat();
  };
  return {
    bucket,
    s3,
    sfn,
    sagemaker,
    sqs,
    uploads,
    ledger,
    messages,
    async put(key, body) {
      const { VersionId } = await insist(() =>
        s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body })),
      );
      ledger.wrote({ key, versionId: VersionId!, sha256: createHash('sha256').update(body).digest('hex') });
    },
    async redrive() {
      for (let count = 0; ;) {
        const receive = new ReceiveMessageCommand({ QueueUrl: deadLetters, MaxNumberOfMessages: 10 });
        const { Messages = [] } = await insist(() => sqs.send(receive));
        if (Messages.length === 0) return count;
        for (const { Body, ReceiptHandle } of Messages) {
          await insist(() => sqs.send(new SendMessageCommand({ QueueUrl: uploads, MessageBody: Body })));
          await insist(() => sqs.send(new DeleteMessageCommand({ QueueUrl: deadLetters, ReceiptHandle })));
          count += 1;
        }
      }
    },
    async readInbox() {
      for (;;) {
        const receive = new ReceiveMessageCommand({ QueueUrl: inbox, MaxNumberOfMessages: 10 });
        const { Messages = [] } = await insist(() => sqs.send(receive));
        if (Messages.length === 0) return;
        for (const { Body, ReceiptHandle } of Messages) {
          const { MessageId, MessageAttributes, Message } = JSON.parse(Body!);
          const run = MessageAttributes?.run?.Value ?? `endpoint of ${MessageAttributes?.pipeline?.Value}`;
          if (!messages.has(run)) messages.set(run, new Map());
          messages.get(run)!.set(MessageId, Message);
          await insist(() => sqs.send(new DeleteMessageCommand({ QueueUrl: inbox, ReceiptHandle })));
        }
      }
    },
    async busy() {
      const events = await waiting();
      const found = events > 0 ? [`${events} upload events`] : [];
      return [...found, ...(await running()).map(({ name }) => name)];
    },
    async working() {
      const found: string[] = [];
      for (const { name, executionArn } of await running()) {
        const last = new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, maxResults: 1 });
        const { events: [event] = [] } = await insist(() => sfn.send(last));
        if (!WAITS.includes(event?.type ?? '')) found.push(`execution ${name}`);
      }
      for (const StatusEquals of ['InProgress', 'Stopping'] as const) {
        const list = new ListTransformJobsCommand({ StatusEquals });
        const { TransformJobSummaries: jobs = [] } = await insist(() => sagemaker.send(list));
        found.push(...jobs.map(({ TransformJobName }) => `job ${TransformJobName}`));
      }
      const { Endpoints = [] } = await insist(() => sagemaker.send(new ListEndpointsCommand({})));
      const changing = Endpoints.filter(({ EndpointStatus = '' }) => /ing/.test(EndpointStatus));
      return [...found, ...changing.map(({ EndpointName }) => `endpoint ${EndpointName}`)];
    },
  };
}

/** Tries until it is acknowledged, as an uploader does. */
export async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries > 600) throw error;
      await sleep(200);
    }
  }
}

async function subscribe(sqs: SQSClient, sns: SNSClient): Promise<string> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'campaign' }));
  const { Topics = [] } = await sns.send(new ListTopicsCommand({}));
  const topic = Topics.find(({ TopicArn }) => TopicArn?.includes('notif'))?.TopicArn ?? Topics[0]!.TopicArn!;
  const queueArn = `arn:aws:sqs:us-east-1:000000000000:campaign`;
  const statement = {
    Effect: 'Allow',
    Principal: { Service: 'sns.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: queueArn,
  };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
  await sns.send(new SubscribeCommand({ TopicArn: topic, Protocol: 'sqs', Endpoint: queueArn }));
  return QueueUrl!;
}
