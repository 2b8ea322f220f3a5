import {
  DeleteRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { required } from '../calls/answer.ts';
import { isNamed, withErrorNames } from '../calls/aws-error.ts';

interface Uploads {
  readonly bucket: string;
  readonly prefix: string;
}

/** A rule and a queue that record the uploads below a prefix. */
export interface UploadWatch {
  /** Rule and queue have the same name. */
  open(name: string, uploads: Uploads): Promise<void>;
  /** Texts of the events that have arrived since the last call; waits up to 5 s for the first. */
  receive(name: string): Promise<readonly string[]>;
  /** Names of the rules and queues with this prefix. */
  names(prefix: string): Promise<readonly string[]>;
  /** Removes rule and queue; missing ones are ignored. */
  close(name: string): Promise<void>;
}

const TARGET = 'queue';
const WAIT_SECONDS = 5;

/** EventBridge and SQS of the account and region that the environment names. */
export function uploadWatch(): UploadWatch {
  const events = new EventBridgeClient();
  const sqs = new SQSClient();
  const urls = new Map<string, string>();
  const urlOf = async (name: string): Promise<string | undefined> => {
    const listed = await urlsOf(sqs, name);
    return urls.get(name) ?? listed.find((url) => url.endsWith(`/${name}`));
  };
  return {
    async open(name, uploads) {
      const { QueueUrl } = await withErrorNames(sqs.send(new CreateQueueCommand({ QueueName: name })));
      const url = required(QueueUrl, 'QueueUrl');
      urls.set(name, url);
      const queueArn = await arnOf(sqs, url);
      const EventPattern = uploadPattern(uploads);
      const { RuleArn } = await withErrorNames(events.send(new PutRuleCommand({ Name: name, EventPattern })));
      const Policy = policyFor(queueArn, required(RuleArn, 'RuleArn'));
      await withErrorNames(
        sqs.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { Policy } })),
      );
      await withErrorNames(
        events.send(new PutTargetsCommand({ Rule: name, Targets: [{ Id: TARGET, Arn: queueArn }] })),
      );
    },
    async receive(name) {
      const QueueUrl = required(await urlOf(name), `the queue ${name}`);
      const { Messages = [] } = await withErrorNames(
        sqs.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: WAIT_SECONDS }),
        ),
      );
      if (Messages.length > 0)
        await withErrorNames(
          sqs.send(
            new DeleteMessageBatchCommand({
              QueueUrl,
              Entries: Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
            }),
          ),
        );
      return Messages.map(({ Body = '' }) => Body);
    },
    async names(prefix) {
      const { Rules = [] } = await withErrorNames(events.send(new ListRulesCommand({ NamePrefix: prefix })));
      const queues = (await urlsOf(sqs, prefix)).map((url) => url.split('/').at(-1) ?? '');
      return [...new Set([...Rules.map(({ Name = '' }) => Name), ...queues])];
    },
    async close(name) {
      await unlessMissing(() => events.send(new RemoveTargetsCommand({ Rule: name, Ids: [TARGET] })));
      await unlessMissing(() => events.send(new DeleteRuleCommand({ Name: name })));
      const QueueUrl = await urlOf(name);
      if (QueueUrl !== undefined) await unlessMissing(() => sqs.send(new DeleteQueueCommand({ QueueUrl })));
      urls.delete(name);
    },
  };
}

async function urlsOf(sqs: SQSClient, QueueNamePrefix: string): Promise<readonly string[]> {
  const { QueueUrls = [] } = await withErrorNames(sqs.send(new ListQueuesCommand({ QueueNamePrefix })));
  return QueueUrls;
}

async function arnOf(sqs: SQSClient, url: string): Promise<string> {
  const { Attributes } = await withErrorNames(
    sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] })),
  );
  return required(Attributes?.QueueArn, 'QueueArn');
}

/** The events that S3 sends where an object is created. */
function uploadPattern({ bucket, prefix }: Uploads): string {
  return JSON.stringify({
    source: ['aws.s3'],
    'detail-type': ['Object Created'],
    detail: { bucket: { name: [bucket] }, object: { key: [{ prefix }] } },
  });
}

/** The policy of the queue: the rule may send to it. */
function policyFor(queueArn: string, ruleArn: string): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
        Condition: { ArnEquals: { 'aws:SourceArn': ruleArn } },
      },
    ],
  });
}

async function unlessMissing(send: () => Promise<unknown>): Promise<void> {
  try {
    await withErrorNames(send());
  } catch (error) {
    if (!isNamed(error, 'NotFound', 'QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'))
      throw error;
  }
}
