/** Where the stack's resources are, for ARNs. */
export interface RoleCallFacts {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  /** Name of the stack, the prefix of the names of its resources. */
  readonly stackName: string;
  readonly bucket: string;
  /** Undefined where the bucket has no customer key. */
  readonly kmsKeyArn: string | undefined;
  /** ARNs of the model role, of the role of training jobs and of the topic. */
  readonly modelRoleArn: string;
  readonly trainingRoleArn: string;
  readonly topicArn: string;
}

/** Calls of one role on one resource. */
export interface RoleCall {
  /** Logical id in the template. */
  readonly role: string;
  readonly actions: readonly string[];
  readonly resource: string;
  /** Condition keys with the values of the call. */
  readonly context: Readonly<Record<string, string | boolean>>;
  /** The decision that the stack relies on. */
  readonly wanted: 'allowed' | 'denied';
}

/** Folder of the run that the calls name. */
export const RUN = 'runs/a-pipeline/a-drop/000001';
/** Folder of the training that the calls name. */
export const TRAINING = 'runs/training/a-pipeline/a-drop/000001';
/** Folder of that run's state: what was frozen, and that it has ended. */
export const STATE = 'state/a-pipeline/a-drop/000001';

/** Writes down calls of roles, on resources that are named as this stack names its own. */
export function recordRoleCalls(facts: RoleCallFacts) {
  const { partition, region, account, stackName, bucket } = facts;
  const arn = (service: string, resource: string): string =>
    `arn:${partition}:${service}:${region}:${account}:${resource}`;
  const object = (key: string): string => `arn:${partition}:s3:::${bucket}/${key}`;
  const machine = (name: string): string => arn('states', `stateMachine:${stackName}-${name}`);
  const sagemaker = (resource: string): string => arn('sagemaker', resource);
  const endpoint = sagemaker(`endpoint/${stackName}-a-pipeline`);
  const config = sagemaker(`endpoint-config/${stackName}-a-pipeline`);
  const model = sagemaker(`model/${stackName}-a-pipeline`);
  const job = sagemaker('transform-job/inferdrop-a-pipeline-a-drop-1');
  const trainingJob = sagemaker('training-job/inferdrop-a-pipeline-a-drop-1');
  const ours = { 'aws:ResourceTag/inferdrop:application': bucket };
  const tagged = { 'aws:RequestTag/inferdrop:application': bucket };
  const pass = { 'iam:PassedToService': 'sagemaker.amazonaws.com' };
  const scaling = { 'application-autoscaling:service-namespace': 'sagemaker' };
  const scalable = arn('application-autoscaling', 'scalable-target/1234abcd');
  const alarm = arn('cloudwatch', `alarm:TargetTracking-endpoint/${stackName}-a-pipeline/variant/a`);

  const calls: RoleCall[] = [];
  const recorder =
    (wanted: RoleCall['wanted']) =>
    (role: string, actions: readonly string[], resource: string, context: RoleCall['context'] = {}): void =>
      void calls.push({ role, actions, resource, context, wanted });
  const add = recorder('allowed');
  const reads = (role: string, ...keys: readonly string[]): void => {
    for (const key of keys) add(role, ['s3:GetObject'], object(key));
  };
  const writes = (role: string, ...keys: readonly string[]): void => {
    for (const key of keys) add(role, ['s3:PutObject'], object(key));
  };
  return {
    ...facts,
    calls,
    arn,
    object,
    machine,
    sagemaker,
    endpoint,
    config,
    model,
    job,
    trainingJob,
    ours,
    tagged,
    pass,
    scaling,
    scalable,
    alarm,
    add,
    forbid: recorder('denied'),
    reads,
    writes,
  };
}

/** Where calls are written down, with the names of the resources. */
export type RoleCallRecord = ReturnType<typeof recordRoleCalls>;

/** What SageMaker does under a role for the containers of its jobs: it pulls the image, and writes log and metrics. */
export function recordContainerCalls(
  { partition, region, arn, add }: RoleCallRecord,
  role: string,
  repository: string,
  logGroup: string,
): void {
  add(role, ['ecr:GetAuthorizationToken'], '*');
  add(
    role,
    ['ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer', 'ecr:BatchCheckLayerAvailability'],
    // The account of AWS's containers in most regions.
    `arn:${partition}:ecr:${region}:763104351884:repository/${repository}`,
  );
  add(
    role,
    ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
    arn('logs', `log-group:${logGroup}:log-stream:a/b`),
  );
  add(role, ['cloudwatch:PutMetricData'], '*', { 'cloudwatch:namespace': logGroup });
}
