import path from 'node:path';
import type * as z from 'zod';
import { createModelCheck } from '@inferdrop/model-container/check-model';
import type { PythonChoice } from '@inferdrop/model-container/prepare-python';
import { createApiGateway } from './apigateway/service.ts';
import { createAutoscaling } from './application-autoscaling/service.ts';
import { createCloudFormation } from './cloudformation/service.ts';
import type { StackRecord, StackStatus } from './cloudformation/stack-record.ts';
import type { Deployment } from './cloudformation/stacks.ts';
import { createCloudWatch } from './cloudwatch/service.ts';
import { createEcr } from './ecr/service.ts';
import { createTargets } from './events/dispatcher.ts';
import { createEvents } from './events/service.ts';
import { startGateway } from './gateway/gateway.ts';
import { createIam } from './iam/service.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import type { ResourcePolicyLookup } from './kernel/permission.ts';
import type { EventBus, ObjectAccess } from './kernel/ports.ts';
import type { Site } from './kernel/service.ts';
import { createKeys } from './kms/service.ts';
import { createFunctions } from './lambda/service.ts';
import { createLogs } from './logs/service.ts';
import { createS3 } from './s3/service.ts';
import { createSageMaker } from './sagemaker/service.ts';
import type { TrainingFaults } from './sagemaker/training/training-faults.ts';
import type { TrainingPythons } from './sagemaker/training/training-hosts.ts';
import type { TransformFaults } from './sagemaker/transform-faults.ts';
import type { InvocationFaults } from './sagemaker-runtime/invocation-faults.ts';
import { createSageMakerRuntime } from './sagemaker-runtime/service.ts';
import { AccountLimits } from './service-quotas/account-limits.ts';
import { createServiceQuotas } from './service-quotas/service.ts';
import { createTopics } from './sns/service.ts';
import { createQueues } from './sqs/service.ts';
import { createStates } from './states/service.ts';
import { createSts } from './sts/service.ts';

export interface StackOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Everything the stack keeps lies below; it need not exist. E-mail is written to its folder `outbox`. */
  readonly dir: string;
  /** Secrets by access key id, of the account's owner. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly faults?: TransformFaults & TrainingFaults & InvocationFaults;
  /** Which parts of the containers run in an installed Python; none by default. */
  readonly containers?: Partial<PythonChoice>;
  /** Absolute path of the interpreter of training jobs by framework, in place of the installed ones. */
  readonly trainingPythons?: TrainingPythons;
  /** Training jobs run also where this machine's framework has another major version than their image. */
  readonly anyFrameworkVersion?: boolean;
  /** Accepts accelerators of Elastic Inference, which AWS refuses since April 2024. */
  readonly legacyElasticInference?: boolean;
  /** What AWS lets the account use; the defaults of each are in `AccountLimits`. */
  readonly limits?: z.input<typeof AccountLimits>;
  /** Called with findings of what works here and would not in AWS; stderr by default. */
  readonly onProblem?: (line: string) => void;
  /** Called in tests with each answer that does not match AWS's own model. */
  readonly onBadAnswer?: (problem: string) => void;
  /** Hears of each service as it comes up. */
  readonly onService?: (name: string, text: string) => void;
}

/** What a person reads of each service as it comes up. */
const SERVICES: readonly (readonly [string, string])[] = [
  ['s3', 'objects, versions, events'],
  ['eventbridge', 'rules and schedules'],
  ['sqs', 'queues with dead letters'],
  ['lambda', 'each function in processes of its own'],
  ['step functions', 'JSONata machines, Distributed Map'],
  ['sns', 'e-mail goes to a folder'],
  ['sagemaker', 'training, batch transform and endpoints that really run'],
  ['api gateway', 'HTTP APIs with IAM and JWT'],
  ['cloudwatch', 'metrics, alarms, logs'],
];

/** AWS on this machine: one account in one region behind one port. */
export interface Stack {
  readonly endpoint: string;
  readonly site: Site;
  readonly objects: ObjectAccess;
  deploy(deployment: Deployment): Promise<StackRecord>;
  /** Undefined where there is no such stack, or one that was only reviewed. */
  statusOf(stackName: string): StackStatus | undefined;
  /** @throws {AwsError} `ValidationError` naming what cannot be deleted */
  delete(stackName: string): Promise<void>;
  /** @throws {AwsError} `ValidationError` for a stack that does not exist */
  find(stackName: string): StackRecord;
  close(): Promise<void>;
}

/** Brings every service up behind one port, with all that an earlier run left in `dir`. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { clock = systemClock, onService = () => undefined } = options;
  const onProblem = options.onProblem ?? ((line: string): void => void process.stderr.write(`${line}\n`));
  const limits = AccountLimits.parse(options.limits ?? {});
  const site: Site = {
    account: '000000000000',
    region: 'us-east-1',
    partition: 'aws',
    endpoint: () => gateway.endpoint,
  };
  const below = (name: string) => ({ dir: path.join(options.dir, name), site, clock });

  // Services that deliver and those delivered to need each other, so what comes later is asked for at each delivery.
  const bus: EventBus = { put: (event) => events.bus.put(event) };
  const policyOn: ResourcePolicyLookup = (arn) => {
    const holders = { s3, sqs, sns, lambda, kms };
    return Object.entries(holders)
      .find(([name]) => name === arn.split(':')[2])?.[1]
      .policyOn(arn);
  };

  const iam = createIam({ ...below('iam'), policyOn });
  const { services: access, sessions: roles } = iam;
  const targets = createTargets(
    () => ({
      functions: lambda.functions,
      queues: sqs.queues,
      topics: sns.topics,
      executions: states.executions,
      logs: logs.logs,
    }),
    { services: access, sessions: roles },
  );
  const kms = createKeys(below('kms'));
  const logs = createLogs(below('logs'));
  const s3 = createS3({ ...below('s3'), bus, requestsPerSecond: limits.s3RequestsPerSecond });
  const sqs = createQueues(below('sqs'));
  const lambda = createFunctions({
    ...below('lambda'),
    objects: s3.objects,
    limits,
    queues: sqs.queues,
    logs: logs.logs,
    targets,
    credentialsOf: roles.credentialsOf,
    refusalOf: roles.refusal,
    access,
  });
  const sns = createTopics({
    ...below('sns'),
    outbox: path.join(options.dir, 'outbox'),
    queues: sqs.queues,
    functions: lambda.functions,
    access,
  });
  const events = createEvents({ ...below('events'), targets, access });
  const states = createStates({
    ...below('states'),
    bus,
    functions: lambda.functions,
    logs: logs.logs,
    roles,
    access,
  });
  const cloudwatch = createCloudWatch(below('cloudwatch'));
  const sagemaker = createSageMaker({
    ...below('sagemaker'),
    bus,
    objects: s3.objects,
    logs: logs.logs,
    metrics: cloudwatch.metrics,
    roles,
    access,
    alarms: cloudwatch.alarms,
    limits,
    ...(options.faults && { faults: options.faults }),
    ...(options.containers && { containers: options.containers }),
    checkModel: createModelCheck(options.containers),
    ...(options.trainingPythons && { trainingPythons: options.trainingPythons }),
    ...(options.anyFrameworkVersion && { anyFrameworkVersion: true }),
    ...(options.legacyElasticInference && { legacyElasticInference: true }),
  });
  const runtime = createSageMakerRuntime({
    site,
    route: sagemaker.route,
    metrics: cloudwatch.metrics,
    ...(options.faults && { faults: options.faults }),
  });
  const apigateway = createApiGateway({
    ...below('apigateway'),
    functions: lambda.functions,
    access,
    logs: logs.logs,
    metrics: cloudwatch.metrics,
  });
  const autoscaling = createAutoscaling(below('application-autoscaling'));
  const cloudformation = createCloudFormation({
    ...below('cloudformation'),
    objects: s3.objects,
    refusalOf: iam.roles.refusal,
    types: {
      ...iam.resources,
      ...kms.resources,
      ...s3.resources,
      ...sqs.resources,
      ...sns.resources,
      ...events.resources,
      ...lambda.resources,
      ...states.resources,
      ...sagemaker.resources,
      ...logs.resources,
      ...cloudwatch.resources,
      ...apigateway.resources,
    },
  });
  const sts = createSts({ site, clock, people: iam.people });
  const ecr = createEcr({ site });
  const quotas = createServiceQuotas({ site, limits });

  const gateway = await startGateway({
    port: options.port,
    site,
    credentials: options.credentials,
    roles: iam.roles,
    ...(options.onBadAnswer && { onBadAnswer: options.onBadAnswer }),
    fronts: [apigateway.front],
    // They close in this order: executions first, before what they call. S3 matches every path, so it comes last.
    services: [
      states,
      lambda,
      sqs,
      sns,
      events,
      runtime,
      sagemaker,
      logs,
      autoscaling,
      cloudwatch,
      cloudformation,
      sts,
      iam,
      apigateway,
      ecr,
      quotas,
      s3,
    ].map(({ service }) => service),
  });
  for (const [name, text] of SERVICES) onService(name, text);
  events.start();
  lambda.start();
  states.resume();
  return {
    endpoint: gateway.endpoint,
    site,
    objects: s3.objects,
    async deploy(deployment) {
      const { record, events: happened } = await cloudformation.stacks.deploy(deployment);
      for (const { logicalId, physicalId, status, reason } of happened)
        if (status === 'DELETE_FAILED')
          onProblem(`cloudformation: ${logicalId} (${physicalId}) stays, outside the stack: ${reason}`);
      for (const line of cloudwatch.judgeActions(sns.topics, access)) onProblem(`cloudwatch: ${line}`);
      return record;
    },
    statusOf(stackName) {
      const status = cloudformation.stacks.book.get(stackName)?.status;
      return status === 'REVIEW_IN_PROGRESS' ? undefined : status;
    },
    delete: (stackName) => cloudformation.stacks.delete(stackName),
    find: (stackName) => cloudformation.stacks.book.find(stackName),
    close: () => gateway.close(),
  };
}
