import { readdirSync } from 'node:fs';
import { operationOf, serviceModel } from '../../../packages/laptop/service-model/model.ts';
import { sample } from '../../../packages/laptop/test/service-model/sample-input.ts';
import { rawS3 } from '../../../packages/laptop/test/support/raw-s3.ts';
import { drawInput } from '../draw-input.ts';
import { mutateBytes, mutateJson, mutateText } from '../mutate.ts';
import { stackUnderFire, whyBadAnswer } from '../stack-under-fire.ts';
import type { FuzzTarget } from '../target.ts';

/** A call as it goes over the wire; `input` is what a JSON or Query call says. */
interface Call {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly input?: unknown;
  /** Operation of `packages/laptop/service-model`, for inputs that are right by it. */
  readonly operation?: string;
  readonly body?: string;
}

/** Before the dot of `X-Amz-Target`, and the version of JSON. */
const TARGETS: Readonly<Record<string, string>> = {
  'application-autoscaling': 'AnyScaleFrontendService',
  cloudwatch: 'GraniteServiceVersion20100801',
  ecr: 'AmazonEC2ContainerRegistry_V20150921',
  events: 'AWSEvents',
  logs: 'Logs_20140328',
  sagemaker: 'SageMaker',
  'service-quotas': 'ServiceQuotasV20190624',
  sqs: 'AmazonSQS',
  states: 'AWSStepFunctions',
};
const VERSIONS: Readonly<Record<string, string>> = {
  cloudformation: '2010-05-15',
  iam: '2010-05-08',
  sns: '2010-03-31',
  sts: '2011-06-15',
};
/** Signing names of services, if they differ from the folder's name. */
const SIGNED_AS: Readonly<Record<string, string>> = {
  cloudwatch: 'monitoring',
  'sagemaker-runtime': 'sagemaker',
};

const ROLE = 'arn:aws:iam::000000000000:role/r';
const POLICY = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Service: 'sns.amazonaws.com' },
      Action: ['sqs:SendMessage'],
      Resource: '*',
      Condition: { ArnLike: { 'aws:SourceArn': 'arn:aws:sns:*:*:t*' } },
    },
  ],
};
const PATTERN = {
  source: ['aws.s3', { prefix: 'a' }],
  detail: {
    bucket: { name: [{ wildcard: 'a*b' }, { 'anything-but': ['c'] }] },
    size: [{ numeric: ['>', 0, '<=', 5] }],
    $or: [{ a: [{ exists: true }] }, { b: [null] }],
  },
};
const MACHINE = {
  QueryLanguage: 'JSONata',
  StartAt: 'A',
  States: {
    A: {
      Type: 'Pass',
      Output: '{% $states.input.a ~> /b+/ %}',
      Assign: { x: '{% $sum([1..3]) %}' },
      Next: 'B',
    },
    B: {
      Type: 'Choice',
      Choices: [{ Condition: '{% $x > 1 and $exists($states.input) %}', Next: 'C' }],
      Default: 'D',
    },
    C: { Type: 'Wait', Seconds: '{% 1 %}', End: true },
    D: { Type: 'Fail', Error: 'E', Cause: '{% "a" & "b" %}' },
  },
};
const MAP_MACHINE = {
  QueryLanguage: 'JSONata',
  StartAt: 'M',
  TimeoutSeconds: 60,
  States: {
    M: {
      Type: 'Map',
      Items: '{% [1,2] %}',
      MaxConcurrency: 2,
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'T',
        States: {
          T: {
            Type: 'Task',
            Resource: 'arn:aws:states:::lambda:invoke',
            Arguments: { FunctionName: 'f', Payload: '{% $states.input %}' },
            Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 2, BackoffRate: 1.5 }],
            Catch: [{ ErrorEquals: ['X'], Next: 'U' }],
            End: true,
          },
          U: { Type: 'Succeed' },
        },
      },
      End: true,
    },
  },
};
const TEMPLATE = {
  Parameters: { P: { Type: 'String', AllowedPattern: '[a-z]+', Default: 'a' } },
  Conditions: { C: { 'Fn::Equals': [{ Ref: 'P' }, 'a'] } },
  Mappings: { M: { a: { b: 'c' } } },
  Resources: {
    Q: {
      Type: 'AWS::SQS::Queue',
      Condition: 'C',
      Properties: { QueueName: { 'Fn::Sub': 'q-${P}-${AWS::Region}${!x}' }, VisibilityTimeout: 30 },
    },
    T: {
      Type: 'AWS::SNS::Topic',
      DependsOn: 'Q',
      Properties: {
        TopicName: {
          'Fn::Join': [
            '-',
            ['a', { 'Fn::FindInMap': ['M', 'a', 'b'] }, { 'Fn::Select': [0, { 'Fn::Split': [',', 'x,y'] }] }],
          ],
        },
      },
    },
  },
  Outputs: { O: { Value: { 'Fn::GetAtt': ['Q', 'Arn'] }, Export: { Name: 'e' } } },
};

const xml = (path: string, method: string, query: string, body: string): Call => ({
  service: 's3',
  method,
  path,
  query,
  headers: { 'content-type': 'application/xml' },
  body,
});
const S3: readonly Call[] = [
  xml('/bucket', 'POST', 'delete', '<Delete><Object><Key>key</Key></Object><Quiet>true</Quiet></Delete>'),
  xml(
    '/bucket',
    'PUT',
    'tagging',
    '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>',
  ),
  xml(
    '/bucket',
    'PUT',
    'versioning',
    '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
  ),
  xml(
    '/bucket',
    'PUT',
    'lifecycle',
    '<LifecycleConfiguration><Rule><ID>a</ID><Filter><Prefix>runs/</Prefix></Filter><Status>Enabled</Status><Expiration><Days>3</Days></Expiration></Rule></LifecycleConfiguration>',
  ),
  xml(
    '/bucket',
    'PUT',
    'encryption',
    '<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>',
  ),
  xml(
    '/bucket',
    'PUT',
    'publicAccessBlock',
    '<PublicAccessBlockConfiguration><BlockPublicAcls>true</BlockPublicAcls></PublicAccessBlockConfiguration>',
  ),
  xml(
    '/bucket',
    'PUT',
    'notification',
    '<NotificationConfiguration><EventBridgeConfiguration/></NotificationConfiguration>',
  ),
  xml(
    '/bucket',
    'PUT',
    'policy',
    '{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:PutObject","Resource":"arn:aws:s3:::bucket/denied/*"}]}',
  ),
  xml(
    '/bucket/key',
    'PUT',
    'tagging',
    '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>',
  ),
  xml(
    '/bucket/key',
    'POST',
    'uploadId=abc',
    '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"a"</ETag></Part></CompleteMultipartUpload>',
  ),
  xml(
    '/new',
    'PUT',
    '',
    '<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>',
  ),
  {
    ...xml('/bucket/copy', 'PUT', '', ''),
    headers: {
      'x-amz-copy-source': '/bucket/key?versionId=null',
      'x-amz-metadata-directive': 'REPLACE',
      'x-amz-meta-a': 'b',
    },
  },
  {
    ...xml('/bucket/key', 'GET', 'response-content-type=text%2Fplain', ''),
    headers: {
      range: 'bytes=1-2',
      'if-none-match': '"a"',
      'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT',
    },
  },
  {
    ...xml('/bucket/new', 'PUT', '', 'body'),
    headers: {
      'content-md5': 'hBotaJrYa9FhFEdFPCLG/A==',
      'x-amz-checksum-crc32': 'AAAAAA==',
      'x-amz-tagging': 'a=b',
      'if-none-match': '*',
    },
  },
  {
    ...xml('/bucket/key', 'GET', 'attributes', ''),
    headers: { 'x-amz-object-attributes': 'ETag,ObjectSize' },
  },
  xml(
    '/bucket',
    'GET',
    'list-type=2&max-keys=2&prefix=k&delimiter=%2F&continuation-token=abc&start-after=a&encoding-type=url',
    '',
  ),
  xml('/bucket', 'GET', 'versions&key-marker=a&version-id-marker=b&max-keys=1', ''),
  xml('/bucket', 'GET', 'uploads&key-marker=a&upload-id-marker=b', ''),
  xml('/bucket/key', 'GET', 'uploadId=abc&part-number-marker=1', ''),
  xml('/bucket/key', 'PUT', 'partNumber=1&uploadId=abc', 'part'),
];
const REST: readonly Call[] = [
  {
    service: 'lambda',
    method: 'POST',
    path: '/2015-03-31/functions/f/invocations',
    query: 'Qualifier=1',
    headers: { 'x-amz-invocation-type': 'Event', 'x-amz-log-type': 'Tail' },
    body: '{}',
  },
  {
    service: 'lambda',
    method: 'GET',
    path: '/2015-03-31/functions',
    query: 'MaxItems=3&Marker=a',
    headers: {},
  },
  {
    service: 'lambda',
    method: 'GET',
    path: '/2015-03-31/event-source-mappings',
    query: 'EventSourceArn=arn:aws:sqs:us-east-1:000000000000:q',
    headers: {},
  },
  { service: 'apigateway', method: 'GET', path: '/v2/apis/abc/stages/$default', query: '', headers: {} },
  {
    service: 'sagemaker-runtime',
    method: 'POST',
    path: '/endpoints/e/invocations',
    query: '',
    headers: { 'content-type': 'text/csv', 'x-amzn-sagemaker-custom-attributes': 'tfs-method=predict' },
    body: '1,2',
  },
];
const WORDS = [
  '<',
  '>',
  '</',
  '/>',
  '<!--',
  '<![CDATA[',
  '<?xml version="1.0"?>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '&#0;',
  '&#x110000;',
  '&#xd800;',
  '&b;',
  '<Key>',
  '</Key>',
  'xmlns="a"',
  '<a>'.repeat(400),
  '\0',
  '-1',
  '2147483648',
  '%',
  '%2F',
  '&',
  '=',
];

/** Calls of every emulated operation, changed where they say something. */
export async function open(): Promise<FuzzTarget<Call>> {
  const fire = await stackUnderFire();
  const documents = DOCUMENTS.map(([service, operation, input]) => toCall(service, operation, input));
  return {
    name: 'services',
    mostCpuMs: 4_000,
    seeds: [...modeled(), ...documents, ...S3, ...REST, ...S3, ...documents],
    mutate(call, chance) {
      if (call.operation !== undefined && chance.happens(0.6)) {
        const model = serviceModel(call.service, []);
        const { input } = operationOf(model, call.operation);
        const right = input === undefined ? {} : drawInput(model, input.shape, chance);
        return { ...call, input: chance.happens(0.7) ? right : mutateJson(right, chance) };
      }
      if (call.input !== undefined) return { ...call, input: mutateJson(call.input, chance) };
      const text = (seed: string, share: number): string =>
        chance.happens(share) ? mutateText(seed, chance, WORDS) : seed;
      return {
        ...call,
        path: `/${text(call.path.slice(1), 0.2)}`.replaceAll(/[^!-~]|[?#]/g, (char) =>
          encodeURIComponent(char.toWellFormed()),
        ),
        query: text(call.query, 0.4).replaceAll(/[^!-~]|#/g, (char) =>
          encodeURIComponent(char.toWellFormed()),
        ),
        headers: Object.fromEntries(
          Object.entries(call.headers).map(([name, value]) => [
            name,
            text(value, 0.4)
              .replaceAll(/[^ -~]/g, '')
              .trim(),
          ]),
        ),
        ...(call.body !== undefined && {
          body: chance.happens(0.6)
            ? mutateBytes(Buffer.from(call.body), chance, WORDS).toString('latin1')
            : call.body,
        }),
      };
    },
    async judge({ service, method, path, query, headers, input, body = '' }) {
      const payload =
        input === undefined ? Buffer.from(body, 'latin1') : Buffer.from(toBody(service, headers, input));
      const signedFor = SIGNED_AS[service] ?? service;
      const request = {
        method,
        path,
        query,
        headers,
        service: signedFor,
        ...(method !== 'GET' && { body: payload }),
      };
      // What no client can sign, the gateway's own target sends.
      if (!isEncoded(path) || !isEncoded(query)) return undefined;
      const answer = await rawS3(fire.stack.endpoint, request).catch((error: unknown) => String(error));
      if (typeof answer === 'string') return `did not answer: ${answer}`;
      const bad = whyBadAnswer(answer.status, answer.text);
      if (bad !== undefined) return bad;
      if (
        answer.status >= 400 &&
        method !== 'HEAD' &&
        ![412, 431].includes(answer.status) &&
        !/message/i.test(answer.text)
      )
        return `answered ${answer.status} without words: ${answer.text.slice(0, 300)}`;
      return fire.badAnswers.length > 0
        ? `an answer is not as AWS's: ${fire.badAnswers.splice(0).join('; ')}`
        : undefined;
    },
    close: () => fire.close(),
  };
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text.replaceAll('+', ' '));
    return text.split(/[/&=]/).every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

/** Calls with documents in them, each in the language of its service. */
const DOCUMENTS: readonly (readonly [service: string, operation: string, input: unknown])[] = [
  ['states', 'CreateStateMachine', { name: 'a', roleArn: ROLE, definition: JSON.stringify(MACHINE) }],
  [
    'states',
    'CreateStateMachine',
    { name: 'b', roleArn: ROLE, definition: JSON.stringify(MAP_MACHINE), type: 'STANDARD' },
  ],
  ['events', 'PutRule', { Name: 'a', EventPattern: JSON.stringify(PATTERN), State: 'ENABLED' }],
  [
    'events',
    'PutEvents',
    {
      Entries: [{ Source: 'a', DetailType: 'b', Detail: JSON.stringify({ bucket: { name: 'c' }, size: 3 }) }],
    },
  ],
  [
    'sqs',
    'CreateQueue',
    {
      QueueName: 'a',
      Attributes: {
        RedrivePolicy: '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:b","maxReceiveCount":3}',
        Policy: JSON.stringify(POLICY),
        VisibilityTimeout: '30',
      },
    },
  ],
  [
    'sqs',
    'SendMessage',
    {
      QueueUrl: 'http://127.0.0.1/000000000000/a',
      MessageBody: 'text',
      MessageAttributes: { a: { DataType: 'String', StringValue: 'b' } },
    },
  ],
  [
    'logs',
    'FilterLogEvents',
    { logGroupName: '/a', filterPattern: '{ $.level = "ERROR" && $.time = 3 && $.a.b = x }' },
  ],
  ['logs', 'FilterLogEvents', { logGroupName: '/a', filterPattern: '?ERROR -"a b" warn' }],
  [
    'sagemaker',
    'CreateModel',
    {
      ModelName: 'm',
      ExecutionRoleArn: ROLE,
      PrimaryContainer: {
        Image: '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu',
        ModelDataUrl: 's3://bucket/key',
        Environment: { A: 'b' },
      },
    },
  ],
  [
    'sagemaker',
    'CreateTransformJob',
    {
      TransformJobName: 'j',
      ModelName: 'm',
      TransformInput: {
        DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://bucket/' } },
        ContentType: 'text/csv',
        SplitType: 'Line',
      },
      TransformOutput: { S3OutputPath: 's3://bucket/out', AssembleWith: 'Line' },
      TransformResources: { InstanceType: 'ml.m5.xlarge', InstanceCount: 1 },
      DataProcessing: { InputFilter: '$[1:]', OutputFilter: "$['a','b'][0,2:-1]", JoinSource: 'Input' },
    },
  ],
  [
    'cloudformation',
    'CreateStack',
    {
      StackName: 'a',
      TemplateBody: JSON.stringify(TEMPLATE),
      Parameters: [{ ParameterKey: 'P', ParameterValue: 'v' }],
    },
  ],
  ['cloudformation', 'ValidateTemplate', { TemplateBody: JSON.stringify(TEMPLATE) }],
  [
    'sns',
    'Subscribe',
    {
      TopicArn: 'arn:aws:sns:us-east-1:000000000000:t',
      Protocol: 'sqs',
      Endpoint: 'arn:aws:sqs:us-east-1:000000000000:a',
    },
  ],
  [
    'iam',
    'SimulatePrincipalPolicy',
    {
      PolicySourceArn: ROLE,
      ActionNames: ['s3:GetObject'],
      ResourceArns: ['arn:aws:s3:::bucket/*'],
      PolicyInputList: [JSON.stringify(POLICY)],
    },
  ],
];

/** A right call of each operation of the JSON and Query services. */
function modeled(): Call[] {
  const folder = new URL('../../../packages/laptop/service-model/models/', import.meta.url);
  return readdirSync(folder).flatMap((file) => {
    const service = file.replace('.json', '');
    const model = serviceModel(service, []);
    if (model.protocol !== 'json' && model.protocol !== 'query') return [];
    return Object.keys(model.operations).map((operation) => {
      const { input } = operationOf(model, operation);
      return { ...toCall(service, operation, (input && sample(model, input.shape)) ?? {}), operation };
    });
  });
}

function toCall(service: string, operation: string, input: unknown): Call {
  const target = TARGETS[service];
  const headers =
    target === undefined
      ? { 'content-type': 'application/x-www-form-urlencoded', action: operation }
      : { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `${target}.${operation}` };
  return { service, method: 'POST', path: '/', query: '', headers, input };
}

function toBody(service: string, headers: Call['headers'], input: unknown): string {
  if (headers['x-amz-target'] !== undefined) return JSON.stringify(input);
  const form = new URLSearchParams({ Action: headers['action'] ?? '', Version: VERSIONS[service] ?? '' });
  const add = (name: string, value: unknown, depth: number): void => {
    if (Array.isArray(value))
      value.slice(0, 50).forEach((item, index) => add(`${name}.member.${index + 1}`, item, depth + 1));
    else if (typeof value === 'object' && value !== null && depth < 50)
      for (const [member, item] of Object.entries(value))
        add(name === '' ? member : `${name}.${member}`, item, depth + 1);
    else if (name !== '') form.append(name, String(value).toWellFormed());
  };
  add('', input, 0);
  return form.toString();
}
