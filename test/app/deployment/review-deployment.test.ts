import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { reviewDeployment } from '../../../src/app/deployment/review-deployment.ts';
import type { StackDescription, StackResource } from '../../../src/aws/account/stack.ts';
import type { Discovered } from '../../../src/deployment/issuer-problem.ts';

const INFRA = path.resolve(import.meta.dirname, '..', '..', '..', 'infra');
/** The template's own section. Its other sections have tags of CloudFormation, which the parser passes by. */
const { Parameters: declared } = parse(readFileSync(path.join(INFRA, 'shared', 'parameters.yml'), 'utf8'), {
  logLevel: 'error',
});
const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';

async function review(
  options: readonly string[],
  deployed?: Partial<Pick<StackDescription, 'status' | 'parameters' | 'tags' | 'serviceRole'>>,
  resources: readonly StackResource[] = [],
  concurrency = { total: 1000, unreserved: 1000 },
  document: Discovered = { reason: 'nobody asked for it' },
  asking: { readonly tags?: readonly string[]; readonly cfnRole?: string } = {},
) {
  const told: string[] = [];
  const asked: string[] = [];
  const stack = deployed && {
    status: 'UPDATE_COMPLETE',
    createdAt: new Date(0),
    updatedAt: undefined,
    outputs: new Map(),
    parameters: new Map(),
    tags: new Map(),
    serviceRole: undefined,
    ...deployed,
  };
  const arn = 'arn:aws:iam::123456789012:user/ann';
  const reviewed = await reviewDeployment(
    {
      stackName: 'inferdrop-prod',
      stage: 'prod',
      declared,
      options,
      tags: [],
      cfnRole: undefined,
      ...asking,
    },
    {
      account: {
        lambdaConcurrency: async () => concurrency,
        identity: async () => ({ account: '123456789012', arn, partition: 'aws', region: 'eu-west-1' }),
      },
      describeStack: async () => stack,
      stackResources: async () => resources,
      discover: async (url) => {
        asked.push(url);
        return document;
      },
      tell: (line) => void told.push(line),
    },
  );
  return { ...reviewed, told, asked };
}

it('begins with the account, and shows what a new stack gets', async () => {
  const { told, sent, isDue } = await review([`kmsKeyArn=${KEY}`]);
  expect(told).toEqual([
    'Account 123456789012, region eu-west-1, as arn:aws:iam::123456789012:user/ann',
    'Parameters that are not their defaults:',
    `  kmsKeyArn ${KEY}`,
  ]);
  expect(sent).toEqual([
    { ParameterKey: 'Stage', ParameterValue: 'prod' },
    { ParameterKey: 'KmsKeyArn', ParameterValue: KEY },
  ]);
  expect(isDue).toBe(true);
});

it('keeps encryption, network, login and retention of a stack that is deployed again without a word of them', async () => {
  const parameters = new Map([
    ['Stage', 'prod'],
    ['KmsKeyArn', KEY],
    ['VpcSubnetIds', 'subnet-1'],
    ['VpcSecurityGroupIds', 'sg-1'],
    ['ApiJwtIssuer', 'https://login.example.com'],
    ['ApiJwtAudience', 'app'],
    ['RunsRetentionDays', '3650'],
  ]);
  const { sent, told, isDue } = await review([], { parameters });
  expect(sent.filter((one) => 'UsePreviousValue' in one).map((one) => one.ParameterKey)).toEqual([
    'RunsRetentionDays',
    'KmsKeyArn',
    'VpcSubnetIds',
    'VpcSecurityGroupIds',
    'ApiJwtIssuer',
    'ApiJwtAudience',
  ]);
  expect(told[1]).toMatch(/^Kept as deployed: runsRetentionDays 3650, kmsKeyArn arn:/);
  expect(isDue).toBe(false);
  const less = await review(['vpcSubnetIds=', 'vpcSecurityGroupIds='], { parameters });
  expect(less.told.slice(1, 4)).toEqual([
    'Parameters of inferdrop-prod that change:',
    '  vpcSubnetIds: subnet-1 → none: models and training jobs run outside the VPC from the next run on',
    '  vpcSecurityGroupIds: sg-1 → none',
  ]);
});

it('refuses all that is wrong at once, before it asks AWS for anything', async () => {
  await expect(
    review(['notificationEmal=x', 'foldConcurrency=1001', 'vpcSubnetIds=my-subnet']),
  ).rejects.toThrow(
    [
      '--param notificationEmal: there is no such parameter, did you mean notificationEmail?',
      "foldConcurrency must be at most 1000, is '1001'",
      "vpcSubnetIds must be ids of subnets, such as subnet-0a1b2c3d, is 'my-subnet'",
    ].join('\n'),
  );
});

it('refuses one half of a pair, which would be left without effect', async () => {
  await expect(review(['apiJwtIssuer=https://login.example.com'])).rejects.toThrow(
    'apiJwtIssuer needs apiJwtAudience: give both, or --param apiJwtIssuer= for neither',
  );
});

const ISSUER = 'https://login.example.com';
const jwt = (issuer: string, document: Discovered, parameters?: ReadonlyMap<string, string>) =>
  review(
    [`apiJwtIssuer=${issuer}`, 'apiJwtAudience=app'],
    parameters && { parameters },
    [],
    undefined,
    document,
  );
const documentOf = (issuer: string, keys = `${issuer}/keys`) => ({
  document: { issuer, jwks_uri: keys },
});

it.each([
  'http://login.example.com',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com/',
  'http://127.0.0.1@example.com',
  'ftp://login.example.com',
])('refuses an issuer at %s, which API Gateway would', async (issuer) => {
  await expect(jwt(issuer, documentOf(issuer))).rejects.toThrow(
    `apiJwtIssuer must be the https address of an issuer, such as https://login.example.com, is '${issuer}'`,
  );
});

it.each([
  ISSUER,
  `${ISSUER}/`,
  `${ISSUER}/pool`,
  'http://127.0.0.1:4100',
  'http://localhost/x',
  'http://[::1]:1',
])('takes an issuer at %s after a look at its discovery document', async (issuer) => {
  const { asked } = await jwt(issuer, documentOf(issuer, 'https://keys.example.com'));
  expect(asked).toEqual([`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`]);
});

it.each([
  [{ reason: 'HTTP 404' }, 'cannot be read (HTTP 404): give the address of an OpenID Connect issuer'],
  [{ reason: 'SyntaxError: no JSON' }, 'cannot be read (SyntaxError: no JSON): give the address'],
  [{ document: { issuer: ISSUER } }, 'must have issuer and jwks_uri'],
  [documentOf(`${ISSUER}/`), 'names the issuer https://login.example.com/: write apiJwtIssuer=https://login'],
])('refuses an issuer whose discovery document is %j', async (document, words) => {
  await expect(jwt(ISSUER, document)).rejects.toThrow(
    `apiJwtIssuer ${ISSUER}: ${ISSUER}/.well-known/openid-configuration ${words}`,
  );
});

it('does not ask a deployed issuer again', async () => {
  const parameters = new Map([
    ['ApiJwtIssuer', ISSUER],
    ['ApiJwtAudience', 'app'],
  ]);
  expect((await jwt(ISSUER, { reason: 'down' }, parameters)).asked).toEqual([]);
});

it('refuses a stack in a state that takes no deployment', async () => {
  await expect(review([], { status: 'ROLLBACK_COMPLETE' })).rejects.toThrow('can only be removed');
});

it('carries a deployment out after a failed one, even where nothing has changed since', async () => {
  expect((await review([], { status: 'UPDATE_ROLLBACK_COMPLETE' })).isDue).toBe(true);
  expect((await review([], { status: 'UPDATE_COMPLETE' })).isDue).toBe(false);
});

it('goes on with the bucket that a failed first deployment has taken over', async () => {
  const bucket = { logicalId: 'Bucket', physicalId: 'taken', type: 'AWS::S3::Bucket' };
  const there = [{ ...bucket, status: 'IMPORT_COMPLETE' }];
  const sentName = { ParameterKey: 'BucketName', ParameterValue: 'taken' };
  const status = 'UPDATE_ROLLBACK_COMPLETE';
  expect((await review([], { status }, there)).sent).toContainEqual(sentName);
  const gone = [{ ...bucket, status: 'DELETE_COMPLETE' }];
  expect((await review([], { status }, gone)).sent).not.toContainEqual(sentName);
  await expect(review(['bucketName=other'], { status }, there)).rejects.toThrow('bucketName must be taken');
});

const reserve = (value: number, total: number, deployed?: number, unreserved = total - 2 * (deployed ?? 0)) =>
  review(
    [`serveConcurrency=${value}`],
    deployed === undefined ? undefined : { parameters: new Map([['ServeConcurrency', `${deployed}`]]) },
    [],
    { total, unreserved },
  );

it('refuses a reservation that Lambda would refuse in the middle of the deployment, and says what the account needs', async () => {
  await expect(reserve(1, 10)).rejects.toThrow(
    'serveConcurrency must be at most 0, is 1: 2 functions would reserve as many each, the account has 10 concurrent ' +
      'executions, 10 of them not reserved by other functions, and Lambda keeps 10 unreserved; lower it, or ask for at ' +
      'least 102 "Concurrent executions" of AWS Lambda in Service Quotas',
  );
  await expect(reserve(451, 1000)).rejects.toThrow('serveConcurrency must be at most 450, is 451');
  await expect(reserve(101, 1000, undefined, 300)).rejects.toThrow(/at most 100, .* at least 1002 "/);
  expect((await reserve(450, 1000)).isDue).toBe(true);
  expect((await reserve(0, 10)).isDue).toBe(false);
});

it("counts the stack's own reservation as free, and asks nothing where concurrency stays as deployed", async () => {
  await expect(reserve(451, 1000, 400)).rejects.toThrow('at most 450');
  expect((await reserve(450, 1000, 400)).isDue).toBe(true);
  const none = { total: 10, unreserved: 0 };
  const parameters = new Map([['ServeConcurrency', '5']]);
  expect((await review(['foldConcurrency=4'], { parameters }, [], none)).isDue).toBe(true);
});

const LARGE = { total: 1000, unreserved: 1000 };
const RESERVED = ['predictConcurrency=200', 'reserveConcurrency=yes'];

it('proposes a reservation if a few runs could take all of the account', async () => {
  const advice =
    "predictConcurrency bounds each run: 5 runs at once may take all 1000 of the account's 1000 functions that are " +
    'not reserved. To bound all runs together, add --param reserveConcurrency=yes';
  for (const [options, account, proposed] of [
    [['predictConcurrency=200'], LARGE, true],
    [['predictConcurrency=900'], LARGE, true],
    // Twenty-one runs, which no pipeline has at once; what is reserved; and what could not be.
    [['predictConcurrency=49'], LARGE, false],
    [RESERVED, LARGE, false],
    [['predictConcurrency=901'], LARGE, false],
    [['predictConcurrency=5'], { total: 10, unreserved: 10 }, false],
    [[], LARGE, false],
  ] as const) {
    const { told } = await review([...options], undefined, [], account);
    expect([options, told.some((line) => line.endsWith('reserveConcurrency=yes'))]).toEqual([
      options,
      proposed,
    ]);
    if (options[0] === 'predictConcurrency=200' && proposed) expect(told).toContain(advice);
  }
});

it('refuses to reserve functions for runs that Lambda would not reserve, and counts its own as free', async () => {
  await expect(review(RESERVED, undefined, [], { total: 10, unreserved: 10 })).rejects.toThrow(
    /^reserveConcurrency must be no, or predictConcurrency at most 0, is 200: .* Lambda keeps 10 unreserved; .* at least 300 "/,
  );
  await expect(review(RESERVED, undefined, [], { total: 1000, unreserved: 299 })).rejects.toThrow(
    'predictConcurrency at most 199, is 200',
  );
  await expect(review([...RESERVED, 'serveConcurrency=351'], undefined, [], LARGE)).rejects.toThrow(
    'predictConcurrency at most 198, is 200',
  );
  expect((await review(RESERVED, undefined, [], { total: 1000, unreserved: 300 })).isDue).toBe(true);
  const parameters = new Map([
    ['PredictConcurrency', '200'],
    ['ReserveConcurrency', 'yes'],
  ]);
  const own = { total: 1000, unreserved: 100 };
  expect((await review(['predictConcurrency=150'], { parameters }, [], own)).isDue).toBe(true);
  await expect(review(['predictConcurrency=201'], { parameters }, [], own)).rejects.toThrow(
    'predictConcurrency at most 200, is 201',
  );
});

it('refuses more functions of runs at once than the account leaves them', async () => {
  const small = { total: 10, unreserved: 10 };
  await expect(review(['predictConcurrency=11'], undefined, [], small)).rejects.toThrow(
    /^predictConcurrency must be at most 10, is 11: the account has 10 concurrent .* at least 100 "/,
  );
  await expect(
    review(['predictConcurrency=901', 'serveConcurrency=50'], undefined, [], {
      total: 1000,
      unreserved: 1000,
    }),
  ).rejects.toThrow(/at most 900, is 901: .*, 100 of which serveConcurrency takes; .* at least 1001 "/);
  expect((await review(['predictConcurrency=10'], undefined, [], small)).isDue).toBe(true);
});

const organized = (
  asking: { readonly tags?: readonly string[]; readonly cfnRole?: string },
  options: readonly string[] = [],
  deployed?: Parameters<typeof review>[1],
) => review(options, deployed, [], undefined, undefined, asking);
const ROLE = 'arn:aws:iam::123456789012:role/cfn';

it('tags the stack and what its runs make, and keeps the tags and the role of a deployed one', async () => {
  const { told, sent, stackTags } = await organized({ tags: ['CostCenter=42'], cfnRole: ROLE });
  expect(told.slice(1)).toEqual([
    'Parameters that are not their defaults:',
    '  resourceTags CostCenter=42',
    '  tag CostCenter 42',
    `  cfn-role ${ROLE}`,
  ]);
  expect(sent).toContainEqual({ ParameterKey: 'ResourceTags', ParameterValue: 'CostCenter=42' });
  expect(stackTags).toEqual(new Map([['CostCenter', '42']]));

  const deployed = {
    parameters: new Map([['ResourceTags', 'CostCenter=42']]),
    tags: new Map([['CostCenter', '42']]),
    serviceRole: ROLE,
  };
  const again = await organized({ cfnRole: ROLE, tags: ['CostCenter=42'] }, [], deployed);
  expect(again).toMatchObject({ isDue: false, stackTags: deployed.tags });
  const none = await organized({}, [], deployed);
  expect(none).toMatchObject({ isDue: false, stackTags: deployed.tags });
  const changed = await organized({ tags: ['CostCenter='] }, [], deployed);
  expect(changed.told).toContain('  tag CostCenter: 42 → none');
  expect(changed).toMatchObject({ isDue: true, stackTags: new Map() });
});

it.each([
  [{ tags: ['inferdrop:x=1', 'a'] }, [], /inferdrop:x must not begin .*\n--tag a needs a value/],
  [{ tags: ['a=1'] }, ['resourceTags=b=2'], /--tag sets resourceTags: give one of them/],
  [{}, ['resourceTags=aws:b=2'], /resourceTags aws:b must not begin with aws:/],
  [{ cfnRole: '' }, [], /--cfn-role must be the ARN of a role, .* is '': a stack keeps its role until/],
  [{ cfnRole: 'cfn' }, [], /--cfn-role must be the ARN of a role, .* is 'cfn'/],
  [
    { cfnRole: 'arn:aws:iam::999999999999:role/cfn' },
    [],
    /--cfn-role must be in the account 123456789012 of the stack, is in 999999999999/,
  ],
  [
    {},
    ['permissionsBoundaryArn=arn:aws-cn:iam::999999999999:policy/b'],
    /must be in the partition aws of the stack, is in aws-cn.*\n.*must be in the account/,
  ],
  [{}, ['permissionsBoundaryArn=boundary'], /permissionsBoundaryArn must be the ARN of a managed policy/],
  [
    {},
    ['alarmTopicArn=arn:aws:sns:us-east-1:123456789012:alarms'],
    /alarmTopicArn must be in the region eu-west-1 of the stack, is in us-east-1/,
  ],
  [{}, ['alarmTopicArn=arn:aws:sns:eu-west-1:123456789012:a.fifo'], /must be the ARN of a standard topic/],
  [{}, [`readKeyArns=${KEY}`], /readKeyArns needs readBucketArns/],
  [
    {},
    ['readKeyArns=arn:aws:kms:eu-west-1:123456789012:alias/k'],
    /must be the ARNs of keys, not of aliases/,
  ],
])('refuses %j with %j', async (asking, options, words) => {
  await expect(organized(asking, options)).rejects.toThrow(words);
});

it("takes AWS's own policies as boundary, and an alarm topic of another account", async () => {
  await organized({}, [
    'permissionsBoundaryArn=arn:aws:iam::aws:policy/PowerUserAccess',
    'alarmTopicArn=arn:aws:sns:eu-west-1:999999999999:alarms',
  ]);
});
