import path from 'node:path';
import { createModelCheck } from '@inferdrop/model-container/internal/check-model';
import type { PythonChoice } from '@inferdrop/model-container/internal/container-kind';
import { createApiGateway } from './apigateway/service.ts';
import { createAutoscaling } from './application-autoscaling/service.ts';
import type { ResourceTypes } from './cloudformation/resource-type.ts';
import { createCloudFormation } from './cloudformation/service.ts';
import { createCloudWatch } from './cloudwatch/service.ts';
import { createEcr } from './ecr/service.ts';
import { createTargets } from './events/dispatcher.ts';
import { createEvents } from './events/service.ts';
import type { AllowedCall } from './iam/authorizer.ts';
import { createIam } from './iam/service.ts';
import type { Clock } from './kernel/clock.ts';
import type { ResourcePolicyLookup } from './kernel/permission.ts';
import type { EventBus } from './kernel/ports.ts';
import type { Front, Service, ServiceBase, Site } from './kernel/service.ts';
import { createKeys } from './kms/service.ts';
import { createFunctions } from './lambda/service.ts';
import { createLogs } from './logs/service.ts';
import { createS3 } from './s3/service.ts';
import type { TrainingFaults, TransformFaults } from './sagemaker/faults.ts';
import { createSageMaker } from './sagemaker/service.ts';
import type { TrainingMode, TrainingPythons } from './sagemaker/training/training-hosts.ts';
import type { InvocationFaults } from './sagemaker-runtime/invocation-faults.ts';
import { createSageMakerRuntime } from './sagemaker-runtime/service.ts';
import type { AccountLimits } from './service-quotas/account-limits.ts';
import { createServiceQuotas } from './service-quotas/service.ts';
import type { SentEmail } from './sns/email.ts';
import { createTopics } from './sns/service.ts';
import { createQueues } from './sqs/service.ts';
import { createStates } from './states/service.ts';
import { createSts } from './sts/service.ts';

/** Options that the services of one stack share. */
export interface ServicesOptions {
  /** Everything the stack keeps lies below; it need not exist. E-mail is written to its folder `outbox`. */
  readonly dir: string;
  readonly faults?: TransformFaults & TrainingFaults & InvocationFaults;
  /** Which parts of the containers run in an installed Python; none by default. */
  readonly containers?: Partial<PythonChoice>;
  /** How hosts of training jobs are made: `portable`, the default, or `exact`, with namespaces of Linux. */
  readonly trainingMode?: TrainingMode;
  /** Absolute path of the interpreter of training jobs by framework, instead of the installed ones. */
  readonly trainingPythons?: TrainingPythons;
  /** Training jobs also run if this machine's framework has another major version than their image. */
  readonly anyFrameworkVersion?: boolean;
  /** Called with each e-mail, for the console. */
  readonly onEmail?: (email: SentEmail) => void;
  /** Called with each permission that a role of the stack used and had, to list what roles need. */
  readonly onAllowed?: (call: AllowedCall) => void;
  /** Accepts accelerators of Elastic Inference, which AWS refuses since April 2024. */
  readonly legacyElasticInference?: boolean;
  /** An update of an endpoint keeps its old fleet for at most this long; by default for as long as it asks. */
  readonly longestUpdateWaitSeconds?: number;
}

interface OpenOptions extends ServicesOptions {
  readonly site: Site;
  readonly clock: Clock;
  readonly limits: AccountLimits;
}

/** Parts of a service that the stack itself takes, next to the ports that other services use. */
interface OpenedService {
  readonly service?: Service;
  readonly front?: Front;
  readonly resources?: ResourceTypes;
  /** Policies of resources, for ARNs of the service. */
  readonly policyOn?: ResourcePolicyLookup;
  /** Called once the gateway listens. */
  readonly start?: () => void;
}

/**
 * Opens every service, with the state that an earlier stack left in its folder; `opened` lists them by name, each after its dependencies.
 * Services that use each other reach the later one through a function that looks it up at each call.
 */
export function openServices(options: OpenOptions) {
  const { site, clock, limits, faults } = options;
  const opened = new Map<string, OpenedService>();
  const open = <T extends OpenedService>(name: string, create: (own: ServiceBase) => T): T => {
    const service = create({ dir: path.join(options.dir, name), site, clock });
    opened.set(name, service);
    return service;
  };
  const bus: EventBus = { put: (event) => events.bus.put(event) };
  const policyOn: ResourcePolicyLookup = (arn) => opened.get(arn.split(':')[2] ?? '')?.policyOn?.(arn);

  const { objects } = open('s3', (own) =>
    createS3({ ...own, bus, requestsPerSecond: limits.s3RequestsPerSecond }),
  );
  const iam = open('iam', (own) => createIam({ ...own, policyOn, onAllowed: options.onAllowed }));
  const { services: access, sessions: roles } = iam;
  const targets = createTargets(
    () => ({ functions, queues, topics: sns.topics, executions: states.executions, logs }),
    { services: access, sessions: roles },
  );
  open('kms', createKeys);
  const cloudwatch = open('cloudwatch', createCloudWatch);
  const { metrics, alarms, alarmActions } = cloudwatch;
  const { logs } = open('logs', (own) => createLogs({ ...own, metrics }));
  const { queues } = open('sqs', createQueues);
  const { credentialsOf, refusal: refusalOf } = roles;
  const { functions } = open('lambda', (own) =>
    createFunctions({ ...own, objects, limits, queues, logs, targets, credentialsOf, refusalOf, access }),
  );
  const mail = {
    outbox: path.join(options.dir, 'outbox'),
    ...(options.onEmail && { onEmail: options.onEmail }),
  };
  const sns = open('sns', (own) => createTopics({ ...own, ...mail, queues, access }));
  const events = open('events', (own) => createEvents({ ...own, targets, access }));
  const { route, components } = open('sagemaker', (own) =>
    createSageMaker({
      ...options,
      ...own,
      bus,
      objects,
      logs,
      metrics,
      roles,
      access,
      alarms,
      checkModel: createModelCheck(options.containers),
    }),
  );
  open('sagemaker-runtime', () =>
    createSageMakerRuntime({ site, route, components, metrics, ...(faults && { faults }) }),
  );
  open('apigateway', (own) =>
    createApiGateway({
      ...own,
      functions,
      access,
      callers: { refusal: iam.roles.refusal, sessionOf: iam.people.sessionOf },
      logs,
      metrics,
    }),
  );
  const states = open('states', (own) => createStates({ ...own, bus, functions, logs, roles, access }));
  open('application-autoscaling', (own) =>
    createAutoscaling({ ...own, copies: components, alarms: alarmActions }),
  );
  open('sts', () => createSts({ site, clock, people: iam.people }));
  open('ecr', createEcr);
  open('service-quotas', () => createServiceQuotas({ site, limits }));
  const { stacks } = open('cloudformation', (own) =>
    createCloudFormation({
      ...own,
      objects,
      refusalOf: iam.roles.refusal,
      roles,
      access,
      types: typesOf(opened.values()),
    }),
  );
  return {
    opened: [...opened.values()],
    objects,
    stacks,
    roles: iam.roles,
    judgeAlarms: () => cloudwatch.judgeActions(sns.topics, access),
  };
}

function typesOf(services: Iterable<OpenedService>): ResourceTypes {
  return Object.fromEntries([...services].flatMap(({ resources = {} }) => Object.entries(resources)));
}
