import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkDashboard } from '../../packages/laptop/cloudwatch/dashboard-body.ts';
import { globMatcher } from '../../packages/laptop/iam/glob.ts';
import { packageApplication } from '../../scripts/package-application.ts';
import { MAX_ANSWER_MS } from '../../src/api/limits.ts';
import { measurePlannedWait } from '../../src/app/api/predict.ts';
import { MAX_FINISH_SECONDS } from '../../src/app/endpoint/finish-endpoint.ts';
import { MAX_STEP_SECONDS } from '../../src/app/endpoint/lock-change.ts';
import { measureCanary } from '../../src/app/verify/canary.ts';
import { AWS_IMAGE_ACCOUNTS } from '../../src/model/image-registry.ts';
import { measureEnd } from '../../src/run/measure-end.ts';
import { measureSweep } from '../../src/run/measure-sweep.ts';
import { METRICS } from '../../src/run/measurement.ts';

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
});

const ofType = (type: string) => Object.entries(resources).filter(([, resource]) => resource.Type === type);
const statements = () =>
  [...ofType('AWS::IAM::Role'), ...ofType('AWS::IAM::Policy')].flatMap(([id, { Properties }]) => {
    const policies = Properties.Policies ?? (Properties.PolicyDocument ? [Properties] : []);
    return policies
      .flatMap((policy: any) => policy.PolicyDocument.Statement)
      .flatMap((statement: any) => statement['Fn::If']?.slice(1, 2) ?? [statement])
      .map((statement: any) => ({ id, ...statement }));
  });

/** Every Task of every state machine that invokes a function, with that function's time-out. */
const lambdaTasks = () => {
  const tasks = (states: Record<string, any>): [string, any][] =>
    Object.entries(states).flatMap(([name, state]) => [
      ...(state.Type === 'Task' && state.Resource.endsWith('lambda:invoke') ? [[name, state] as const] : []),
      ...(state.ItemProcessor ? tasks(state.ItemProcessor.States) : []),
    ]) as [string, any][];
  const found = ofType('AWS::StepFunctions::StateMachine').flatMap(([machine, { Properties }]) =>
    tasks(Properties.Definition.States).map(([name, state]) => {
      const [, placeholder = ''] = /\$\{(\w+)\}/.exec(state.Arguments.FunctionName) ?? [];
      const [function_ = ''] = Properties.DefinitionSubstitutions[placeholder]['Fn::GetAtt'];
      return { machine, name, state, timeout: resources[function_]!.Properties.Timeout as number };
    }),
  );
  expect(found.length).toBeGreaterThanOrEqual(20);
  return found;
};

describe('the packaged template', () => {
  it('works in every partition', () => {
    expect(text).not.toContain('arn:aws:');
  });

  it('traces every function, under a role that may write traces', () => {
    const tracing = statements().filter(({ Action }) => [Action].flat().includes('xray:PutTraceSegments'));
    for (const [id, { Properties }] of ofType('AWS::Lambda::Function')) {
      expect(Properties.TracingConfig, id).toEqual({ Mode: 'Active' });
      expect(tracing.map((one) => one.id)).toContain(Properties.Role['Fn::GetAtt'][0]);
    }
  });

  it('has the caller of each request of the API in its access log', () => {
    const { Format } = resources.ApiStage!.Properties.AccessLogSettings;
    expect(JSON.parse(Format)).toMatchObject({
      userArn: '$context.identity.userArn',
      tokenSubject: '$context.authorizer.claims.sub',
    });
  });

  it('lets the rules of this stack alone into its queues, by the key that EventBridge documents', () => {
    const { Statement } = resources.QueuePolicy!.Properties.PolicyDocument;
    const { Condition } = Statement.find(({ Effect }: any) => Effect === 'Allow');
    const rules = 'rule/inferdrop-${Stage}-';
    expect(Condition).toEqual({
      ArnLike: { 'aws:SourceArn': { 'Fn::Sub': expect.stringContaining(rules) } },
    });
    for (const [id, { Properties }] of ofType('AWS::Events::Rule'))
      expect(Properties.Name['Fn::Sub'], id).toMatch(/^inferdrop-\$\{Stage\}-/);
  });

  it('lets containers pull from AWS and the own account alone', () => {
    const pulls = statements().filter(({ Action }) => [Action].flat().includes('ecr:BatchGetImage'));
    const accounts = (role: string) =>
      pulls
        .filter(({ id }) => id === role)
        .flatMap(({ Resource }) => [Resource].flat())
        .flatMap((arn) => /:ecr:\*:(.+):repository\/\*$/.exec(arn['Fn::Sub'] ?? '')?.[1] ?? [])
        .toSorted();
    const roles = [...new Set(pulls.map(({ id }) => id))].toSorted();
    expect(roles).toEqual(['ModelRole', 'TrainingRole']);
    for (const role of roles)
      expect(accounts(role)).toEqual(['${AWS::AccountId}', ...AWS_IMAGE_ACCOUNTS].toSorted());
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
      /^(ecr:GetAuthorizationToken|logs:.*LogDeliver(y|ies).*|logs:(Put|Describe)Resource.*|logs:DescribeLogGroups|xray:.*|cloudwatch:(PutMetricData|GetMetricStatistics)|sagemaker:List(Endpoints|EndpointConfigs|Models|InferenceComponents)|servicequotas:ListServiceQuotas|ec2:.*)$/;
    for (const { id, Action, Resource } of statements()) {
      for (const action of [Action].flat()) {
        expect(action, id).not.toMatch(/^\*$|:\*$/);
        if ([Resource].flat().includes('*')) expect(action, id).toMatch(withoutResource);
      }
    }
  });

  it('lets no function pass a role but those of models and training jobs, and only to SageMaker', () => {
    const passing = statements().filter(({ Action }) => [Action].flat().includes('iam:PassRole'));
    expect(passing.length).toBeGreaterThan(0);
    for (const { Resource, Condition } of passing) {
      expect([
        ['ModelRole', 'Arn'],
        ['TrainingRole', 'Arn'],
      ]).toContainEqual(Resource['Fn::GetAtt']);
      expect(Condition).toEqual({ StringEquals: { 'iam:PassedToService': 'sagemaker.amazonaws.com' } });
    }
  });

  it('keeps every log for a bounded time', () => {
    const groups = ofType('AWS::Logs::LogGroup');
    const writers = [...ofType('AWS::Lambda::Function'), ...ofType('AWS::StepFunctions::StateMachine')];
    expect(groups.length).toBeGreaterThanOrEqual(writers.length);
    for (const [id, { Properties }] of groups) expect(Properties.RetentionInDays, id).toBe(30);
  });

  it('lets only what came in and what runs made expire', () => {
    const { LifecycleConfiguration } = resources.Bucket!.Properties;
    const expiring = LifecycleConfiguration.Rules.filter(
      (rule: Record<string, unknown>) => 'ExpirationInDays' in rule || 'ExpirationDate' in rule,
    );
    expect(expiring.map(({ Prefix }: { Prefix?: string }) => Prefix)).toEqual([
      'incoming/',
      'training/',
      'runs/',
      'staged/',
      'index/',
      'messages/',
    ]);
    const days = Number(JSON.parse(text).Parameters.StagedRetentionDays.Default);
    const { TimeoutSeconds } = resources.BatchInference!.Properties.Definition;
    expect(days * 86_400, 'copies outlast the run that reads them').toBeGreaterThan(TimeoutSeconds);
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
      'CleanDashupDashrunLambdaFunction',
      'SweepLambdaFunction',
      'SweepDashendpointsLambdaFunction',
      'RepairDashendpointLambdaFunction',
      'CanaryLambdaFunction',
    ]) {
      expect(resources[id]!.Properties.DeadLetterConfig, id).toBeDefined();
    }
  });

  it('waits six time-outs of accept-drop before a message is seen again', () => {
    const timeout = resources.AcceptDashdropLambdaFunction!.Properties.Timeout;
    expect(resources.UploadQueue!.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeout);
  });

  it.each([
    ['BatchInference', 'StatesPolicy'],
    ['Training', 'TrainingStepsPolicy'],
  ])('invokes from %s exactly the functions that it may invoke', (id, policy) => {
    const { Definition, DefinitionSubstitutions } = resources[id]!.Properties;
    const used = Array.from(JSON.stringify(Definition).matchAll(/\$\{(\w+)\}/g), ([, name]) => name);
    const declared = Object.keys(DefinitionSubstitutions);
    expect(new Set(used)).toEqual(new Set(declared));
    const allowed = resources[policy]!.Properties.PolicyDocument.Statement[0].Resource;
    expect(new Set(allowed.map((one: any) => one['Fn::GetAtt'][0]))).toEqual(
      new Set(
        declared
          .filter((name) => name.endsWith('Arn'))
          .map((name) => DefinitionSubstitutions[name]['Fn::GetAtt'][0]),
      ),
    );
  });

  it('ends a function by its own time-out, which is retried, a minute before the state ends', () => {
    for (const { machine, name, state, timeout } of lambdaTasks())
      expect([machine, name, state.TimeoutSeconds]).toEqual([machine, name, timeout + 60]);
  });

  it('asks again for about an hour where Lambda throttles, with pauses that callers do not share', () => {
    for (const { machine, name, state } of lambdaTasks()) {
      const [first, ...others] = state.Retry;
      expect(first, `${machine} ${name}`).toEqual({
        ErrorEquals: ['Lambda.TooManyRequestsException'],
        IntervalSeconds: 2,
        MaxAttempts: 100,
        BackoffRate: 2,
        MaxDelaySeconds: 60,
        JitterStrategy: 'FULL',
      });
      expect(others.flatMap(({ ErrorEquals }: any) => ErrorEquals)).not.toContain(first.ErrorEquals[0]);
    }
  });

  it('has the SDK outlast refusals where a step has minutes, and not where a person waits', () => {
    for (const [id, { Properties }] of ofType('AWS::Lambda::Function')) {
      const { AWS_MAX_ATTEMPTS, AWS_RETRY_MODE } = Properties.Environment.Variables;
      const attempts = Properties.Timeout < 30 ? '3' : '10';
      expect([id, AWS_MAX_ATTEMPTS, AWS_RETRY_MODE]).toEqual([id, attempts, 'adaptive']);
    }
  });

  it('folds as many shards at once as its parameter says', () => {
    const { Definition, DefinitionSubstitutions } = resources.BatchInference!.Properties;
    expect(Definition.States.FoldPredictions.MaxConcurrency).toBe("{% $number('${FoldConcurrency}') %}");
    expect(DefinitionSubstitutions.FoldConcurrency).toEqual({ Ref: 'FoldConcurrency' });
  });

  it('hears of the end of all state machines whose executions hold something', () => {
    const heard = ofType('AWS::Events::Rule')
      .map(([, { Properties }]) => Properties.EventPattern?.detail?.stateMachineArn)
      .filter((machine) => machine !== undefined);
    expect(heard).toEqual(
      expect.arrayContaining([[{ Ref: 'BatchInference' }, { Ref: 'Training' }], [{ Ref: 'Endpoint' }]]),
    );
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

  it('publishes alarms under a key that CloudWatch may use, and no service that publishes nothing', () => {
    expect(resources.Topic!.Properties.KmsMasterKeyId).toEqual({ 'Fn::GetAtt': ['TopicKey', 'Arn'] });
    for (const policy of [
      resources.TopicKey!.Properties.KeyPolicy,
      resources.TopicPolicy!.Properties.PolicyDocument,
    ]) {
      expect(JSON.stringify(policy)).toContain('cloudwatch.amazonaws.com');
      expect(JSON.stringify(policy)).not.toContain('events.amazonaws.com');
    }
  });

  it('takes messages over TLS alone', () => {
    const { Statement } = resources.TopicPolicy!.Properties.PolicyDocument as { Statement: unknown[] };
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Principal: '*',
        Action: 'sns:Publish',
        Resource: { Ref: 'Topic' },
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });

  it('rings where functions are throttled, and where uploads wait', () => {
    const alarms = ofType('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    for (const { AlarmActions } of alarms)
      expect(AlarmActions).toEqual([
        { 'Fn::If': ['HasAlarmTopic', { Ref: 'AlarmTopicArn' }, { Ref: 'Topic' }] },
      ]);
    const [, all, predicting] = resources.ThrottlesAlarm!.Properties.Metrics;
    expect(all.MetricStat.Metric).toEqual({ Namespace: 'AWS/Lambda', MetricName: 'Throttles' });
    expect(predicting['Fn::If'].at(-1)).toEqual({ Ref: 'AWS::NoValue' });
    expect(alarms.find(({ MetricName }) => MetricName === 'ApproximateAgeOfOldestMessage')).toMatchObject({
      Namespace: 'AWS/SQS',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': ['UploadQueue', 'QueueName'] } }],
    });
  });

  it('rings for measurements of its own only where a function takes them', () => {
    const measured = [
      ...(['run', 'training', 'deployment'] as const).map((kind) =>
        measureEnd(kind, { executionArn: 'a:b', status: 'FAILED', error: 'AccessDenied' }),
      ),
      measureCanary({ run: 'r', outcome: 'failed' }),
      measurePlannedWait({ pathParameters: {} }),
      ...(['runs', 'endpoints'] as const).map((sweep) => measureSweep(sweep, { failed: 1 })),
    ].flatMap((measurement) =>
      measurement!.groups.flatMap(({ by, values }) =>
        by.flatMap((names) =>
          Object.keys(values).map((MetricName) => ({
            MetricName,
            Dimensions: names.map((Name) => ({ Name, Value: measurement!.facts[Name] })),
          })),
        ),
      ),
    );
    const own = ofType('AWS::CloudWatch::Alarm')
      .flatMap(([, { Properties }]) => [
        Properties,
        ...(Properties.Metrics ?? []).flatMap(({ MetricStat }: any) => MetricStat?.Metric ?? []),
      ])
      .filter(({ Namespace }) => Namespace?.['Fn::Sub'] === 'inferdrop/${Stage}');
    expect(own).toHaveLength(7);
    for (const { MetricName, Dimensions = [] } of own)
      expect(measured).toContainEqual({ MetricName, Dimensions });
    for (const [, { Properties }] of ofType('AWS::Lambda::Function'))
      expect(Properties.Environment.Variables.METRICS_NAMESPACE).toEqual({ 'Fn::Sub': 'inferdrop/${Stage}' });
  });

  it('has a dashboard that CloudWatch takes, of metrics and resources that there are', () => {
    const body: string = resources.StackDashboard!.Properties.DashboardBody['Fn::Sub'];
    expect(() => checkDashboard(body)).not.toThrow();
    const { widgets } = JSON.parse(body);
    const drawn = widgets.flatMap(({ properties }: any) => properties.metrics);
    const own = drawn.flatMap(([first, name]: any) =>
      first.expression === undefined
        ? first.startsWith('inferdrop/')
          ? [name]
          : []
        : first.expression.includes('inferdrop/')
          ? [/MetricName="(\w+)"/.exec(first.expression)![1]]
          : [],
    );
    expect(own.length).toBeGreaterThanOrEqual(10);
    for (const name of own) expect(Object.keys(METRICS)).toContain(name);
    for (const [, id] of body.matchAll(/\$\{(\w+)(?:\.\w+)?\}/g))
      expect([...Object.keys(resources), 'Stage']).toContain(id);
  });

  it('rings where an event of any rule is lost', () => {
    const { Metrics } = resources.LostEventsAlarm!.Properties;
    const watched = Metrics.flatMap(({ MetricStat }: any) => MetricStat?.Metric.Dimensions ?? []);
    expect(watched.map(({ Value }: any) => Value.Ref).sort()).toEqual(
      ofType('AWS::Events::Rule')
        .map(([id]) => id)
        // It need not be there, and the next hour's call judges as much.
        .filter((id) => id !== 'CanaryRule')
        .sort(),
    );
  });

  it('rings where scoring is repeated', () => {
    expect(resources.ScoringErrorsAlarm!.Properties).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: 'FoldDashpredictionsLambdaFunction' } }],
    });
    // The dashboard shows the children of the Map by this label.
    expect(resources.BatchInference!.Properties.Definition.States.FoldPredictions.Label).toBe('Fold');
  });

  it('limits each route that reads in numbers of its own; the parameters are those of predict', () => {
    const { DefaultRouteSettings, RouteSettings } = resources.ApiStage!.Properties;
    expect(DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: { Ref: 'PredictRateLimit' },
      ThrottlingBurstLimit: { Ref: 'PredictBurstLimit' },
    });
    const keys = ofType('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => Properties.RouteKey);
    const reading = keys.filter((key) => key !== 'POST /predict/{pipeline}');
    const limits = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };
    expect(RouteSettings).toEqual({
      ...Object.fromEntries(reading.map((key) => [key, limits])),
      ...Object.fromEntries(
        [
          'POST /pipelines/{pipeline}/trainings',
          'POST /runs/{pipeline}/{drop}/{generation}/rescores',
          'POST /runs/{pipeline}/{drop}/{generation}/continuations',
        ].map((key) => [key, { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 5 }]),
      ),
    });
  });

  it('stops jobs of its own alone', () => {
    const stopping = statements().filter(({ Action }) =>
      [Action].flat().some((action: string) => /^sagemaker:Stop(Transform|Training)Job$/.test(action)),
    );
    expect(stopping.length).toBe(8);
    for (const { Action, Condition } of stopping) {
      expect([Action].flat()).toHaveLength(1);
      expect(Condition).toEqual({
        StringEquals: { 'aws:ResourceTag/inferdrop:application': { Ref: 'Bucket' } },
      });
    }
  });

  it('lets each role that brings up instances of an endpoint grant the key of their volumes', () => {
    const rolesWith = (wanted: RegExp) =>
      statements()
        .filter(({ Action }) => [Action].flat().some((action: string) => wanted.test(action)))
        .map(({ id }) => id);
    const bringing = new Set(rolesWith(/^sagemaker:(Create|Update)Endpoint$/));
    expect(bringing.size).toBe(2);
    for (const id of bringing) {
      expect(rolesWith(/^kms:CreateGrant$/)).toContain(id);
      expect(rolesWith(/^kms:DescribeKey$/)).toContain(id);
    }
  });

  it('lets batch functions touch models and jobs of its own names alone', () => {
    const arns = statements()
      .filter(({ Action }) => [Action].flat().some((action: string) => action.startsWith('sagemaker:')))
      .flatMap(({ Resource }) => [Resource].flat().map((arn) => arn['Fn::Sub'] ?? arn))
      .filter((arn: string) => /:(model|transform-job|training-job)\//.test(arn));
    expect(arns.length).toBeGreaterThan(0);
    for (const arn of arns) expect(arn).toMatch(/:(model|transform-job|training-job)\/inferdrop-/);
  });

  it('gives the steps that hold a change of an endpoint no more time than others wait for them', () => {
    const timeoutOf = (name: string) =>
      ofType('AWS::Lambda::Function').find(([, { Properties }]) =>
        Properties.FunctionName.endsWith(`-${name}`),
      )![1].Properties.Timeout;
    for (const name of ['deploy-endpoint', 'delete-endpoint', 'roll-back-endpoint'])
      expect(timeoutOf(name)).toBeLessThanOrEqual(MAX_STEP_SECONDS);
    expect(timeoutOf('finish-endpoint')).toBeLessThanOrEqual(MAX_FINISH_SECONDS);
  });

  it('ends a model in a function soon after the callers have given it up', () => {
    const [[, { Properties }] = []] = ofType('AWS::Lambda::Function').filter(([, one]) =>
      one.Properties.FunctionName.endsWith('-serve-model'),
    ) as any[];
    expect(1000 * Properties.Timeout).toBeGreaterThan(MAX_ANSWER_MS);
    expect(1000 * Properties.Timeout).toBeLessThan(MAX_ANSWER_MS + 5000);
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
