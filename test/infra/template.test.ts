import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { globMatcher } from '../../local/iam/glob.ts';
import { packageApplication } from '../../scripts/package-application.ts';
import { LONGEST_FINISH_SECONDS } from '../../src/app/endpoint/finish-endpoint.ts';
import { LONGEST_STEP_SECONDS } from '../../src/app/endpoint/hold-change.ts';

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.any()).default({}) }),
  ),
});
type Resources = z.infer<typeof Template>['Resources'];

let text: string;
let resources: Resources;
beforeAll(async () => {
  const root = path.resolve(import.meta.dirname, '..', '..');
  ({ template: text } = await packageApplication(root, 'dev'));
  ({ Resources: resources } = Template.parse(JSON.parse(text)));
}, 120_000);

const ofType = (type: string) => Object.entries(resources).filter(([, resource]) => resource.Type === type);
const statements = () =>
  [...ofType('AWS::IAM::Role'), ...ofType('AWS::IAM::Policy')].flatMap(([id, { Properties }]) => {
    const policies = Properties.Policies ?? (Properties.PolicyDocument ? [Properties] : []);
    return policies
      .flatMap((policy: any) => policy.PolicyDocument.Statement)
      .flatMap((statement: any) => statement['Fn::If']?.slice(1, 2) ?? [statement])
      .map((statement: any) => ({ id, ...statement }));
  });

describe('the packaged template', () => {
  it('works in every partition', () => {
    expect(text).not.toContain('arn:aws:');
  });

  it('gives each function a role of its own', () => {
    const roles = ofType('AWS::Lambda::Function').map(([, { Properties }]) =>
      JSON.stringify(Properties.Role),
    );
    expect(roles.length).toBeGreaterThanOrEqual(12);
    expect(new Set(roles).size).toBe(roles.length);
  });

  it('allows no wildcard action, and a wildcard resource only where IAM knows no other', () => {
    // Actions that take no resource, by the service authorization reference.
    const withoutResource =
      /^(ecr:GetAuthorizationToken|logs:.*LogDeliver(y|ies).*|logs:(Put|Describe)Resource.*|logs:DescribeLogGroups|xray:.*|cloudwatch:(PutMetricData|GetMetricStatistics)|sagemaker:List(Endpoints|EndpointConfigs|Models)|ec2:.*)$/;
    for (const { id, Action, Resource } of statements()) {
      for (const action of [Action].flat()) {
        expect(action, id).not.toMatch(/^\*$|:\*$/);
        if ([Resource].flat().includes('*')) expect(action, id).toMatch(withoutResource);
      }
    }
  });

  it('lets no function pass a role but the model role, and only to SageMaker', () => {
    const passing = statements().filter(({ Action }) => [Action].flat().includes('iam:PassRole'));
    expect(passing.length).toBeGreaterThan(0);
    for (const { Resource, Condition } of passing) {
      expect(Resource).toEqual({ 'Fn::GetAtt': ['ModelRole', 'Arn'] });
      expect(Condition).toEqual({ StringEquals: { 'iam:PassedToService': 'sagemaker.amazonaws.com' } });
    }
  });

  it('keeps every log for a bounded time', () => {
    const groups = ofType('AWS::Logs::LogGroup');
    const writers = [...ofType('AWS::Lambda::Function'), ...ofType('AWS::StepFunctions::StateMachine')];
    expect(groups.length).toBeGreaterThanOrEqual(writers.length);
    for (const [id, { Properties }] of groups) expect(Properties.RetentionInDays, id).toBe(30);
  });

  it('never lets the lifecycle reach state/', () => {
    const { LifecycleConfiguration } = resources.Bucket!.Properties;
    for (const rule of LifecycleConfiguration.Rules) {
      if (rule.AbortIncompleteMultipartUpload) continue;
      expect(rule.Prefix).toMatch(/^(incoming|runs|index|pipelines)\/$/);
    }
  });

  it('keeps the bucket private, encrypted, versioned and TLS only', () => {
    const { PublicAccessBlockConfiguration, VersioningConfiguration, BucketEncryption } =
      resources.Bucket!.Properties;
    expect(Object.values(PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    expect(VersioningConfiguration.Status).toBe('Enabled');
    expect(BucketEncryption.ServerSideEncryptionConfiguration).toHaveLength(1);
    expect(JSON.stringify(resources.BucketPolicy!.Properties.PolicyDocument)).toContain(
      'aws:SecureTransport',
    );
  });

  it('has a place for what cannot be delivered: the queue, the rules and the asynchronous functions', () => {
    expect(resources.UploadQueue!.Properties.RedrivePolicy.deadLetterTargetArn).toEqual({
      'Fn::GetAtt': ['DeadLetterQueue', 'Arn'],
    });
    for (const [id, { Properties }] of ofType('AWS::Events::Rule')) {
      for (const target of Properties.Targets) expect(target.DeadLetterConfig, id).toBeDefined();
    }
    for (const id of [
      'SettleDashexecutionLambdaFunction',
      'SweepLambdaFunction',
      'SweepDashendpointsLambdaFunction',
      'SettleDashendpointLambdaFunction',
    ]) {
      expect(resources[id]!.Properties.DeadLetterConfig, id).toBeDefined();
    }
  });

  it('waits six time-outs of accept-drop before a message is seen again', () => {
    const timeout = resources.AcceptDashdropLambdaFunction!.Properties.Timeout;
    expect(resources.UploadQueue!.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeout);
  });

  it('invokes from the state machine exactly the functions that it may invoke', () => {
    const machine = JSON.stringify(resources.BatchInference!.Properties.Definition);
    const used = [...machine.matchAll(/\$\{(\w+Arn)\}/g)].map(([, name]) => name);
    const declared = Object.keys(resources.BatchInference!.Properties.DefinitionSubstitutions);
    expect(new Set([...used, 'Partition', 'BucketName', 'EndpointMachine'])).toEqual(new Set(declared));
    const allowed = resources.StatesPolicy!.Properties.PolicyDocument.Statement[0].Resource;
    expect(new Set(allowed.map((one: any) => one['Fn::GetAtt'][0]))).toEqual(
      new Set(
        declared
          .filter((name) => name.endsWith('Arn'))
          .map((name) => resources.BatchInference!.Properties.DefinitionSubstitutions[name]['Fn::GetAtt'][0]),
      ),
    );
  });

  it('settles what dies of both state machines that hold something', () => {
    const settled = ofType('AWS::Events::Rule')
      .map(([, { Properties }]) => Properties.EventPattern?.detail?.stateMachineArn)
      .filter((machine) => machine !== undefined);
    expect(settled).toEqual(expect.arrayContaining([[{ Ref: 'BatchInference' }], [{ Ref: 'Endpoint' }]]));
  });

  it('lets the sweep delete candidates alone', () => {
    const deleting = statements().filter(
      ({ id, Action }) => id === 'SweepEndpointsRole' && [Action].flat().includes('sagemaker:DeleteEndpoint'),
    );
    expect(deleting).toMatchObject([
      {
        Condition: {
          StringEquals: { 'aws:ResourceTag/inferdrop:application': { Ref: 'Bucket' } },
          Null: { 'aws:ResourceTag/inferdrop:candidate-of': 'false' },
        },
      },
    ]);
  });

  it('publishes alarms under a key that CloudWatch and EventBridge may use', () => {
    expect(resources.Topic!.Properties.KmsMasterKeyId).toEqual({ 'Fn::GetAtt': ['TopicKey', 'Arn'] });
    const policy = JSON.stringify(resources.TopicKey!.Properties.KeyPolicy);
    expect(policy).toContain('cloudwatch.amazonaws.com');
    expect(policy).toContain('events.amazonaws.com');
  });

  it('gives the steps that hold a change of an endpoint no more time than others wait for them', () => {
    const timeoutOf = (name: string) =>
      ofType('AWS::Lambda::Function').find(([, { Properties }]) =>
        Properties.FunctionName.endsWith(`-${name}`),
      )![1].Properties.Timeout;
    for (const name of ['deploy-endpoint', 'delete-endpoint', 'roll-back-endpoint'])
      expect(timeoutOf(name)).toBeLessThanOrEqual(LONGEST_STEP_SECONDS);
    expect(timeoutOf('finish-endpoint')).toBeLessThanOrEqual(LONGEST_FINISH_SECONDS);
  });

  it('lets each rule and each route in where it goes', () => {
    const permissions = ofType('AWS::Lambda::Permission').map(([, { Properties }]) => Properties);
    const queuesOf = (Service: string) =>
      ofType('AWS::SQS::QueuePolicy')
        .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
        .filter(({ Effect, Principal }: any) => Effect === 'Allow' && Principal.Service === Service)
        .flatMap(({ Resource }: any) => Resource)
        .map((arn: unknown) => JSON.stringify(arn));
    for (const [rule, { Properties }] of ofType('AWS::Events::Rule')) {
      for (const { Arn, DeadLetterConfig } of Properties.Targets) {
        const isQueue = resources[Arn['Fn::GetAtt'][0]]!.Type === 'AWS::SQS::Queue';
        if (isQueue) expect(queuesOf('events.amazonaws.com'), rule).toContain(JSON.stringify(Arn));
        else
          expect(permissions, rule).toContainEqual({
            FunctionName: Arn,
            Action: 'lambda:InvokeFunction',
            Principal: 'events.amazonaws.com',
            SourceArn: { 'Fn::GetAtt': [rule, 'Arn'] },
          });
        expect(queuesOf('events.amazonaws.com'), rule).toContain(JSON.stringify(DeadLetterConfig.Arn));
      }
    }
    for (const [id, { Properties }] of ofType('AWS::ApiGatewayV2::Route')) {
      const [method, path] = Properties.RouteKey.split(' ');
      const integration = /\{(\w+)\}/.exec(Properties.Target['Fn::Sub'])![1]!;
      const { IntegrationUri } = resources[integration]!.Properties;
      const allowed = permissions
        .filter(({ FunctionName }) => JSON.stringify(FunctionName) === JSON.stringify(IntegrationUri))
        .map(({ SourceArn }) => globMatcher(SourceArn['Fn::Sub'].split('${Api}')[1]));
      expect(
        allowed.some((matches) => matches(`/$default/${method}${path}`)),
        id,
      ).toBe(true);
    }
  });
});
