import type { EndLeftoversServices } from '../src/app/removal/end-leftovers.ts';
import type { Policy } from './deployer-policy.ts';

type Services = Pick<
  EndLeftoversServices,
  | 'running'
  | 'jobs'
  | 'endpoints'
  | 'sagemaker'
  | 'scaling'
  | 'components'
  | 'componentScaling'
  | 'alarms'
  | 'store'
> & { readonly executions: ReturnType<EndLeftoversServices['executions']> };

/**
 * Calls that Application Auto Scaling tries with the caller's rights on deregistration, on alarms without a name and resources of
 * invented names.
 */
const TRIED = {
  endpoints: [
    'sagemaker:DescribeEndpoint',
    'sagemaker:DescribeEndpointConfig',
    'sagemaker:UpdateEndpointWeightsAndCapacities',
  ],
  components: ['sagemaker:DescribeInferenceComponent', 'sagemaker:UpdateInferenceComponentRuntimeConfig'],
  alarms: ['cloudwatch:DeleteAlarms', 'cloudwatch:DescribeAlarms', 'cloudwatch:PutMetricAlarm'],
};

/**
 * The actions behind each method that `src/app/removal` may use. A further method in its services does not compile until it is
 * listed here. Objects of the data bucket are read and written with the deployer's rights; its customer key, if any, needs
 * further permissions.
 */
const ACTIONS: {
  readonly [Service in keyof Services]-?: Service extends 'store'
    ? readonly string[]
    : Readonly<Record<keyof Services[Service], readonly string[]>>;
} = {
  running: { executions: ['states:ListExecutions'] },
  jobs: {
    sagemaker: [
      'sagemaker:ListTransformJobs',
      'sagemaker:DescribeTransformJob',
      'sagemaker:StopTransformJob',
    ],
    training: ['sagemaker:ListTrainingJobs', 'sagemaker:DescribeTrainingJob', 'sagemaker:StopTrainingJob'],
  },
  executions: { arnOf: [], describe: ['states:DescribeExecution'], stop: ['states:StopExecution'] },
  endpoints: {
    names: ['sagemaker:ListEndpoints'],
    configNames: ['sagemaker:ListEndpointConfigs'],
    modelNames: ['sagemaker:ListModels'],
    describe: ['sagemaker:DescribeEndpoint'],
    describeConfig: ['sagemaker:DescribeEndpointConfig'],
    tagsOf: ['sagemaker:ListTags'],
    delete: ['sagemaker:DeleteEndpoint'],
    deleteConfig: ['sagemaker:DeleteEndpointConfig'],
  },
  sagemaker: {
    describeModel: ['sagemaker:DescribeModel'],
    deleteModel: ['sagemaker:DeleteModel'],
  },
  scaling: {
    deregister: ['application-autoscaling:DeregisterScalableTarget', ...TRIED.endpoints, ...TRIED.alarms],
  },
  components: {
    namesOn: ['sagemaker:ListInferenceComponents'],
    describe: ['sagemaker:DescribeInferenceComponent'],
    delete: ['sagemaker:DeleteInferenceComponent'],
  },
  componentScaling: {
    deregister: ['application-autoscaling:DeregisterScalableTarget', ...TRIED.components, ...TRIED.alarms],
  },
  alarms: { delete: ['cloudwatch:DeleteAlarms'] },
  store: ['kms:Decrypt', 'kms:GenerateDataKey'],
};

const sageMaker = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `arn:aws:sagemaker:*:*:${name}`);

/** Resources by action; the first match counts. */
const RESOURCES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^sagemaker:List(?!Tags)/, ['*']],
  [new RegExp(`^(${TRIED.endpoints.join('|')})$`), sageMaker('endpoint/*', 'endpoint-config/*')],
  [new RegExp(`^(${TRIED.components.join('|')})$`), sageMaker('inference-component/*')],
  [
    /^sagemaker:/,
    sageMaker(
      'endpoint/inferdrop-*',
      'endpoint-config/inferdrop-*',
      'inference-component/inferdrop-*',
      'model/inferdrop-*',
      'transform-job/inferdrop-*',
      'training-job/inferdrop-*',
    ),
  ],
  [/^cloudwatch:/, ['arn:aws:cloudwatch:*:*:alarm:*']],
  [/^application-autoscaling:/, ['arn:aws:application-autoscaling:*:*:scalable-target/*']],
  [/^kms:/, ['arn:aws:kms:*:*:key/*']],
  [/^states:/, ['arn:aws:states:*:*:stateMachine:inferdrop-*', 'arn:aws:states:*:*:execution:inferdrop-*:*']],
];

/** Permissions of `npm run remove` besides the deployer's policy, for the partition `aws`: it stops work that isn't part of the stack. */
export function removalPolicy(): Policy {
  const calls = Object.values(ACTIONS).flatMap((one) =>
    Array.isArray(one) ? one : Object.values(one).flat(),
  );
  const byResources = Map.groupBy([...new Set(calls)].sort(), resourcesOf);
  return {
    Version: '2012-10-17',
    Statement: [...byResources].map(([Resource, Action]) => ({
      Effect: 'Allow',
      Action,
      Resource,
      ...(Action.some((action) => action.startsWith('kms:')) && {
        Condition: { StringLike: { 'kms:ViaService': 's3.*.amazonaws.com' } },
      }),
    })),
  };
}

function resourcesOf(action: string): readonly string[] {
  const found = RESOURCES.find(([pattern]) => pattern.test(action));
  if (!found) throw new Error(`scripts/removal-policy.ts: ${action} has no resources: name them there`);
  return found[1];
}
