import { CloudFormationClient, CreateStackCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { CreateBucketCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateModelCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { CreateStateMachineCommand, SFNClient, UpdateStateMachineCommand } from '@aws-sdk/client-sfn';
import { CreateTopicCommand, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stackOf } from '../../packages/laptop/test/support/stack-of.ts';

type Clients = Awaited<ReturnType<typeof connect>>;

const ROLE = 'arn:aws:iam::000000000000:role/r';
const definition = JSON.stringify({
  QueryLanguage: 'JSONata',
  StartAt: 'A',
  States: { A: { Type: 'Succeed' } },
});

async function connect() {
  const stack = await stackOf({ Bucket: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'bucket' } } });
  const { client } = stack;
  const [sqs, sns, sfn] = [new SQSClient(client), new SNSClient(client), new SFNClient(client)];
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'q' }));
  const { TopicArn } = await sns.send(new CreateTopicCommand({ Name: 't' }));
  const machine = await sfn.send(new CreateStateMachineCommand({ name: 'm', definition, roleArn: ROLE }));
  const events = new EventBridgeClient(client);
  await events.send(new PutRuleCommand({ Name: 'r', EventPattern: '{"source":["a"]}' }));
  return {
    stack,
    sqs,
    sns,
    sfn,
    events,
    QueueUrl,
    TopicArn,
    stateMachineArn: machine.stateMachineArn,
    s3: new S3Client({ ...client, forcePathStyle: true }),
    cloudwatch: new CloudWatchClient(client),
    sagemaker: new SageMakerClient(client),
    cloudformation: new CloudFormationClient(client),
  };
}

let clients: Clients;
beforeAll(async () => void (clients = await connect()));
afterAll(() => clients.stack.close());

const bucket = (Bucket: string, LocationConstraint?: string) => (c: Clients) =>
  c.s3.send(
    new CreateBucketCommand({
      Bucket,
      ...(LocationConstraint && {
        CreateBucketConfiguration: { LocationConstraint: LocationConstraint as never },
      }),
    }),
  );
const send = (rest: object) => (c: Clients) =>
  c.sqs.send(new SendMessageCommand({ QueueUrl: c.QueueUrl, MessageBody: 'x', ...rest }));
const attribute = (name: string, DataType: string, StringValue: string) => ({
  MessageAttributes: { [name]: { DataType, StringValue } },
});
const publish = (rest: object) => (c: Clients) =>
  c.sns.send(new PublishCommand({ TopicArn: c.TopicArn, Message: 'x', ...rest }));
const tagged =
  (...keys: string[]) =>
  (c: Clients) =>
    c.sagemaker.send(
      new CreateModelCommand({
        ModelName: 'm',
        PrimaryContainer: { Image: 'i' },
        ExecutionRoleArn: ROLE,
        Tags: keys.map((Key) => ({ Key, Value: 'v' })),
      }),
    );
const stackWith = (template: object) => (c: Clients) =>
  c.cloudformation.send(new CreateStackCommand({ StackName: 's1', TemplateBody: JSON.stringify(template) }));
const Resources = { Queue: { Type: 'AWS::SQS::Queue' } };

/** Requests that AWS refuses: what is wrong, the request, and the name and part of the words of the error. */
const REFUSED: [string, (c: Clients) => Promise<unknown>, string][] = [
  ['a bucket named as internationalised domains are', bucket('xn--bucket'), 'InvalidBucketName'],
  ['a bucket named as an alias of an access point', bucket('bucket-s3alias'), 'InvalidBucketName'],
  ['us-east-1 as a location constraint', bucket('there', 'us-east-1'), 'InvalidLocationConstraint'],
  [
    'a bucket’s policy that lets every principal in',
    (c) =>
      c.s3.send(
        new PutBucketPolicyCommand({
          Bucket: 'bucket',
          Policy: JSON.stringify({
            Version: '2012-10-17',
            Statement: [
              { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::bucket/*' },
            ],
          }),
        }),
      ),
    'AccessDenied',
  ],
  [
    'a delay of 901 s',
    send({ DelaySeconds: 901 }),
    'InvalidParameterValue: Value 901 for parameter DelaySeconds is invalid. Reason: ',
  ],
  ['an attribute of AWS', send(attribute('AWS.trace', 'String', 'x')), 'InvalidParameterValue'],
  ['an invalid number', send(attribute('n', 'Number', 'many')), "Can't cast the value of message (user)"],
  ['an attribute without a value', send(attribute('n', 'String', '')), 'must contain a non-empty value'],
  [
    'eleven attributes',
    send({
      MessageAttributes: Object.fromEntries(
        Array.from({ length: 11 }, (_, n) => [`a${n}`, { DataType: 'String', StringValue: 'x' }]),
      ),
    }),
    'Number of message attributes [11] exceeds the allowed maximum [10].',
  ],
  [
    'an entry of a batch with a space in its id',
    (c) =>
      c.sqs.send(
        new SendMessageBatchCommand({ QueueUrl: c.QueueUrl, Entries: [{ Id: 'a b', MessageBody: 'x' }] }),
      ),
    'InvalidBatchEntryId',
  ],
  [
    'eleven messages to be received',
    (c) => c.sqs.send(new ReceiveMessageCommand({ QueueUrl: c.QueueUrl, MaxNumberOfMessages: 11 })),
    'Value 11 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.',
  ],
  [
    'a message that is too long with its attributes',
    publish({ Message: 'x'.repeat(262_100), ...attribute('a', 'String', 'y'.repeat(200)) }),
    'Invalid parameter: Message too long',
  ],
  [
    'an invalid number in a message',
    publish(attribute('n', 'Number', 'many')),
    'could not be cast to Number',
  ],
  ['an invalid list in a message', publish(attribute('n', 'String.Array', 'a')), 'must be a JSON list'],
  [
    'an attribute that topics do not have',
    (c) => c.sns.send(new CreateTopicCommand({ Name: 'other', Attributes: { Color: 'red' } })),
    'Invalid parameter: Attributes Reason: Unknown attribute Color',
  ],
  [
    'a machine with a role that is no ARN',
    (c) => c.sfn.send(new CreateStateMachineCommand({ name: 'm2', definition, roleArn: 'role' })),
    "InvalidArn: Invalid Arn: 'role'",
  ],
  [
    'an update of a machine that changes nothing',
    (c) => c.sfn.send(new UpdateStateMachineCommand({ stateMachineArn: c.stateMachineArn })),
    'MissingRequiredParameter',
  ],
  [
    'two targets of one id',
    (c) => {
      const target = { Id: '1', Arn: 'arn:aws:sqs:us-east-1:000000000000:q' };
      return c.events.send(new PutTargetsCommand({ Rule: 'r', Targets: [target, target] }));
    },
    "Parameter targets is not valid. Reason: More than one target with Id '1' is provided.",
  ],
  ['two tags of one key', tagged('a', 'a'), 'Duplicate tag keys found: a'],
  ['a tag of AWS', tagged('aws:mine'), 'Tag keys that begin with aws: are reserved: aws:mine'],
  [
    'a metric without a value',
    (c) => c.cloudwatch.send(new PutMetricDataCommand({ Namespace: 'n', MetricData: [{ MetricName: 'm' }] })),
    'At least one of the parameters must be specified.',
  ],
  [
    'two exports of one name',
    stackWith({
      Resources,
      Outputs: {
        A: { Value: '1', Export: { Name: 'n' } },
        B: { Value: '2', Export: { Name: 'n' } },
      },
    }),
    'The Outputs section contains duplicate Export names: [n]. Specify a unique name for each export.',
  ],
  [
    'a type of resource that is misspelt',
    stackWith({ Resources: { Queue: { Type: 'AWS::SQS::Queues' } } }),
    'Template format error: Unrecognized resource types: [AWS::SQS::Queues]',
  ],
];

test.each(REFUSED)('%s', async (_, request, words) => {
  const said = await request(clients).then(
    () => 'nothing',
    (error: Error) => `${error.name}: ${error.message}`,
  );
  expect(said).toContain(words);
});
