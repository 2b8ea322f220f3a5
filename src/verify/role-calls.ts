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
  readonly context: Readonly<Record<string, string>>;
}

const RUN = 'runs/a-pipeline/a-drop/000001';
const TRAINING = 'runs/training/a-pipeline/a-drop/000001';
const STATE = 'state/a-pipeline/a-drop/000001';

/**
 * Calls of each role's use cases, in the terms of the service authorization reference, with the permissions that AWS checks
 * besides: tags given at creation, roles passed on, the validation of Application Auto Scaling, grants for the volumes of
 * endpoints. Written from the calls in src/aws, not from the policies that it is used to judge.
 */
export function roleCalls(facts: RoleCallFacts): readonly RoleCall[] {
  const {
    partition,
    region,
    account,
    stackName,
    bucket,
    kmsKeyArn,
    modelRoleArn,
    trainingRoleArn,
    topicArn,
  } = facts;
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
  const add = (
    role: string,
    actions: readonly string[],
    resource: string,
    context: Readonly<Record<string, string>> = {},
  ): void => void calls.push({ role, actions, resource, context });
  const reads = (role: string, ...keys: readonly string[]): void => {
    for (const key of keys) add(role, ['s3:GetObject'], object(key));
  };
  const writes = (role: string, ...keys: readonly string[]): void => {
    for (const key of keys) add(role, ['s3:PutObject'], object(key));
  };

  reads('AcceptDropRole', `${STATE}/freezing`);
  writes('AcceptDropRole', 'state/a-pipeline/a-drop/pulse');
  for (const name of ['batch-inference', 'training'])
    add('AcceptDropRole', ['states:StartExecution'], machine(name));
  add(
    'AcceptDropRole',
    ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    arn('sqs', `${stackName}-uploads`),
  );

  reads(
    'SettleDropRole',
    `${STATE}/freezing`,
    'incoming/a-pipeline/a-drop/a.png',
    'training/a-pipeline/a-drop/a.png',
    'shared/a.png',
    `${RUN}/manifest.jsonl`,
  );
  writes('SettleDropRole', `${STATE}/frozen.json`, `${RUN}/manifest.jsonl`);

  reads(
    'PlanRunRole',
    'pipelines/a-pipeline/pipeline.json',
    'incoming/a-pipeline/a-drop/job.json',
    `${RUN}/manifest.jsonl`,
    'index/a-pipeline/a.json',
  );
  writes('PlanRunRole', `${RUN}/plan.json`, 'state/a-pipeline/ledger.json');

  add(
    'CreateModelRole',
    ['s3:GetObject', 's3:GetObjectVersion'],
    object('pipelines/a-pipeline/model.tar.gz'),
  );
  writes('CreateModelRole', 'models/0a/model.tar.gz');
  add(
    'CreateModelRole',
    ['sagemaker:CreateModel', 'sagemaker:DescribeModel', 'sagemaker:AddTags'],
    sagemaker('model/inferdrop-a-pipeline-0a'),
  );
  add('CreateModelRole', ['iam:PassRole'], modelRoleArn, pass);

  reads('StartTransformRole', `${RUN}/plan.json`);
  writes('StartTransformRole', `${RUN}/jobs/1/input.manifest`);
  add(
    'StartTransformRole',
    [
      'sagemaker:CreateTransformJob',
      'sagemaker:DescribeTransformJob',
      'sagemaker:AddTags',
      'sagemaker:ListTags',
    ],
    job,
  );

  for (const role of ['StartTransformRole', 'CheckTransformRole', 'CleanUpRunRole', 'SweepRole'])
    add(role, ['sagemaker:StopTransformJob'], job, ours);
  add('CheckTransformRole', ['sagemaker:DescribeTransformJob'], job);
  writes('CheckTransformRole', `${RUN}/jobs/1/job.json`);
  reads('ReconcileOutputsRole', `${RUN}/manifest.jsonl`);
  writes('ReconcileOutputsRole', `${RUN}/reconciled.jsonl`);
  reads('FoldPredictionsRole', `${RUN}/predictions/a.png.out`);
  writes('FoldPredictionsRole', `${RUN}/fold/000000.json`);
  reads('WriteReportRole', `${RUN}/fold/000000.json`);
  writes('WriteReportRole', `${RUN}/report.html`, 'index/a-pipeline/a.json');
  add(
    'WriteReportRole',
    ['logs:DescribeLogStreams', 'logs:FilterLogEvents'],
    arn('logs', 'log-group:/aws/sagemaker/TransformJobs:log-stream:'),
  );
  add('NotifyRole', ['sns:Publish'], topicArn);

  for (const role of ['CleanUpRunRole', 'SweepRole']) {
    writes(role, `${STATE}/ended.json`);
    add(role, ['sagemaker:DescribeTransformJob'], job);
    add(role, ['sagemaker:DescribeTrainingJob'], trainingJob);
    add(role, ['sagemaker:StopTrainingJob'], trainingJob, ours);
    for (const name of ['batch-inference', 'training', 'report-failure'])
      add(role, ['states:StartExecution'], machine(name));
  }

  reads(
    'ModelRole',
    'models/0a/model.tar.gz',
    'incoming/a-pipeline/a-drop/a.png',
    'shared/a.png',
    `${RUN}/jobs/1/input.manifest`,
  );
  writes('ModelRole', `${RUN}/predictions/a.png.out`);
  add('ModelRole', ['s3:ListBucket'], `arn:${partition}:s3:::${bucket}`, {
    's3:prefix': 'incoming/a-pipeline/',
  });
  add('ModelRole', ['ecr:GetAuthorizationToken'], '*');
  add(
    'ModelRole',
    ['ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer', 'ecr:BatchCheckLayerAvailability'],
    // The account of AWS's containers in most regions.
    `arn:${partition}:ecr:${region}:763104351884:repository/tensorflow-inference`,
  );
  add(
    'ModelRole',
    ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
    arn('logs', 'log-group:/aws/sagemaker/TransformJobs:log-stream:a/b'),
  );
  add('ModelRole', ['cloudwatch:PutMetricData'], '*', {
    'cloudwatch:namespace': '/aws/sagemaker/TransformJobs',
  });

  reads(
    'TrainingRole',
    'training/a-pipeline/a-drop/a.png',
    'sources/0a/sourcedir.tar.gz',
    `${TRAINING}/channels/train.manifest`,
    `${TRAINING}/checkpoints/a`,
  );
  writes('TrainingRole', `${TRAINING}/output/a/output/model.tar.gz`, `${TRAINING}/checkpoints/a`);
  add('TrainingRole', ['s3:ListBucket'], `arn:${partition}:s3:::${bucket}`, {
    's3:prefix': 'training/a-pipeline/a-drop/',
  });
  add('TrainingRole', ['ecr:GetAuthorizationToken'], '*');
  add(
    'TrainingRole',
    ['ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer', 'ecr:BatchCheckLayerAvailability'],
    `arn:${partition}:ecr:${region}:763104351884:repository/pytorch-training`,
  );
  add(
    'TrainingRole',
    ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
    arn('logs', 'log-group:/aws/sagemaker/TrainingJobs:log-stream:a/algo-1'),
  );
  add('TrainingRole', ['cloudwatch:PutMetricData'], '*', {
    'cloudwatch:namespace': '/aws/sagemaker/TrainingJobs',
  });

  reads(
    'PlanTrainingRole',
    'pipelines/a-pipeline/pipeline.json',
    'training/a-pipeline/a-drop/job.json',
    `${TRAINING}/manifest.jsonl`,
    `${RUN}/manifest.jsonl`,
  );
  writes('PlanTrainingRole', `${TRAINING}/plan.json`, 'state/a-pipeline/ledger.json');
  add('PlanTrainingRole', ['servicequotas:ListServiceQuotas'], '*');
  reads('PackageSourceRole', 'pipelines/a-pipeline/code/train.py');
  writes('PackageSourceRole', 'sources/0a/sourcedir.tar.gz');
  writes('StartTrainingRole', `${TRAINING}/jobs/1/job.json`);
  add(
    'StartTrainingRole',
    [
      'sagemaker:CreateTrainingJob',
      'sagemaker:DescribeTrainingJob',
      'sagemaker:AddTags',
      'sagemaker:ListTags',
    ],
    trainingJob,
  );
  add('StartTrainingRole', ['iam:PassRole'], trainingRoleArn, pass);
  for (const role of ['StartTrainingRole', 'CheckTrainingRole'])
    add(role, ['sagemaker:StopTrainingJob'], trainingJob, ours);
  add('CheckTrainingRole', ['sagemaker:DescribeTrainingJob'], trainingJob);
  add(
    'CheckTrainingRole',
    ['logs:DescribeLogStreams', 'logs:GetLogEvents', 'logs:FilterLogEvents'],
    arn('logs', 'log-group:/aws/sagemaker/TrainingJobs:log-stream:'),
  );
  reads('RegisterModelRole', `${TRAINING}/output/a/output/model.tar.gz`);
  writes('RegisterModelRole', 'models/0a/model.tar.gz', `${TRAINING}/registered.json`);
  writes('EvaluateModelRole', `${STATE}/frozen.json`, `${TRAINING}/evaluation.json`);
  add('EvaluateModelRole', ['states:StartExecution'], machine('batch-inference'));
  reads('PromoteModelRole', 'models/0a/model.tar.gz');
  writes('PromoteModelRole', 'pipelines/a-pipeline/model.tar.gz', `${TRAINING}/promotion.json`);
  reads('WriteTrainingReportRole', `${TRAINING}/metrics.json`);
  writes('WriteTrainingReportRole', `${TRAINING}/report.html`, 'index/training/a-pipeline/a.json');
  add('TrainingStepsRole', ['states:StartExecution'], machine('endpoint'));

  add('StatesRole', ['s3:GetObject'], object(`${RUN}/shards.json`));
  add(
    'StatesRole',
    ['s3:PutObject', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:AbortMultipartUpload'],
    object(`${RUN}/fold-results/a/manifest.json`),
  );
  add('StatesRole', ['states:StartExecution'], machine('batch-inference'));
  add(
    'StatesRole',
    ['states:DescribeExecution', 'states:StopExecution'],
    arn('states', `execution:${stackName}-batch-inference/a:b`),
  );

  add('DeployEndpointRole', ['sagemaker:CreateModel'], model);
  add('DeployEndpointRole', ['sagemaker:CreateEndpointConfig'], config);
  for (const resource of [endpoint, config])
    add('DeployEndpointRole', ['sagemaker:CreateEndpoint'], resource);
  for (const resource of [endpoint, config, model])
    add('DeployEndpointRole', ['sagemaker:AddTags'], resource, tagged);
  add('DeployEndpointRole', ['iam:PassRole'], modelRoleArn, pass);
  for (const role of ['DeployEndpointRole', 'RollBackEndpointRole']) {
    add(role, ['sagemaker:DescribeEndpoint', 'sagemaker:ListTags'], endpoint);
    add(role, ['sagemaker:UpdateEndpoint', 'sagemaker:DeleteEndpoint'], endpoint, ours);
    add(role, ['sagemaker:UpdateEndpoint'], config, ours);
  }
  add('StartTransformRole', ['sagemaker:DescribeModel'], sagemaker('model/inferdrop-a-pipeline-0a'));
  add('DeployEndpointRole', ['sagemaker:DescribeModel'], model);
  add('DeleteEndpointRole', ['sagemaker:DescribeEndpoint', 'sagemaker:ListTags'], endpoint);
  for (const action of ['sagemaker:ListEndpointConfigs', 'sagemaker:ListModels'])
    add('FinishEndpointRole', [action], '*');
  add('FinishEndpointRole', ['sagemaker:DescribeEndpointConfig', 'sagemaker:ListTags'], config);
  add('FinishEndpointRole', ['sagemaker:DescribeModel', 'sagemaker:ListTags'], model);
  add('FinishEndpointRole', ['sagemaker:AddTags'], endpoint, ours);
  add('FinishEndpointRole', ['sagemaker:DeleteModel'], model, ours);
  add('FinishEndpointRole', ['application-autoscaling:DeregisterScalableTarget'], scalable, scaling);
  add('SweepEndpointsRole', ['sagemaker:ListEndpoints'], '*');
  add('SweepEndpointsRole', ['sagemaker:DescribeEndpoint', 'sagemaker:ListTags'], endpoint);
  add('SweepEndpointsRole', ['sagemaker:DeleteEndpoint'], endpoint, {
    ...ours,
    'aws:ResourceTag/inferdrop:candidate-of': 'a-pipeline',
  });
  reads('ApiRole', 'index/a-pipeline/a.json', 'endpoints/a-pipeline/served.json', `${RUN}/report.json`);
  for (const [role, step] of [
    ['StatesRole', 'plan-run'],
    ['ReportFailureRole', 'write-report'],
    ['ReportFailureRole', 'write-training-report'],
    ['TrainingStepsRole', 'plan-training'],
    ['EndpointRole', 'deploy-endpoint'],
  ] as const)
    add(role, ['lambda:InvokeFunction'], arn('lambda', `function:${stackName}-${step}`));
  add('DeleteEndpointRole', ['sagemaker:DeleteEndpoint'], endpoint, ours);
  add('CheckEndpointRole', ['sagemaker:DescribeEndpoint'], endpoint);
  add('TestEndpointRole', ['sagemaker:InvokeEndpoint'], endpoint);
  add('PredictRole', ['sagemaker:InvokeEndpoint'], endpoint);
  reads('PredictRole', 'endpoints/a-pipeline/served.json');
  // Application Auto Scaling checks the caller's rights on the endpoint and on CloudWatch.
  add(
    'FinishEndpointRole',
    ['application-autoscaling:RegisterScalableTarget', 'application-autoscaling:PutScalingPolicy'],
    scalable,
    scaling,
  );
  add(
    'FinishEndpointRole',
    ['sagemaker:DescribeEndpoint', 'sagemaker:UpdateEndpointWeightsAndCapacities'],
    endpoint,
    ours,
  );
  add(
    'FinishEndpointRole',
    ['cloudwatch:PutMetricAlarm', 'cloudwatch:DescribeAlarms', 'cloudwatch:DeleteAlarms'],
    alarm,
  );
  add('FinishEndpointRole', ['sagemaker:DeleteEndpointConfig'], config, ours);
  for (const role of ['DeployEndpointRole', 'RollBackEndpointRole', 'DeleteEndpointRole']) {
    add(role, ['application-autoscaling:DeregisterScalableTarget'], scalable, scaling);
    add(role, ['sagemaker:DescribeEndpointConfig'], config);
    add(role, ['sagemaker:UpdateEndpointWeightsAndCapacities'], endpoint, ours);
    add(role, ['cloudwatch:DescribeAlarms', 'cloudwatch:DeleteAlarms'], alarm);
  }
  for (const role of ['NotifyEndpointRole', 'SweepEndpointsRole', 'RepairEndpointRole'])
    add(role, ['sns:Publish'], topicArn);

  if (kmsKeyArn !== undefined) {
    for (const role of [
      'ModelRole',
      'TrainingRole',
      'StartTransformRole',
      'FoldPredictionsRole',
      'PredictRole',
    ])
      add(role, ['kms:Decrypt', 'kms:GenerateDataKey'], kmsKeyArn);
    for (const role of ['ModelRole', 'TrainingRole']) add(role, ['kms:CreateGrant'], kmsKeyArn);
    // "CreateEndpoint: kms:CreateGrant (required only if the associated EndPointConfig has a KmsKeyId)".
    for (const role of ['DeployEndpointRole', 'RollBackEndpointRole'])
      add(role, ['kms:CreateGrant'], kmsKeyArn, { 'kms:GrantIsForAWSResource': 'true' });
  }
  return calls;
}
