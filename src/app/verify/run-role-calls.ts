import { type RoleCallRecord, RUN, STATE } from './role-call-record.ts';

/** Calls of what takes drops in and runs them, and of the containers of transform jobs. */
export function recordRunCalls({
  partition,
  stackName,
  bucket,
  modelRoleArn,
  topicArn,
  arn,
  object,
  machine,
  sagemaker,
  job,
  trainingJob,
  ours,
  pass,
  add,
  reads,
  writes,
}: RoleCallRecord): void {
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
    'PrepareModelRole',
    ['s3:GetObject', 's3:GetObjectVersion'],
    object('pipelines/a-pipeline/model.tar.gz'),
  );
  writes('PrepareModelRole', 'models/0a/model.tar.gz');
  add(
    'PrepareModelRole',
    ['sagemaker:CreateModel', 'sagemaker:DescribeModel', 'sagemaker:AddTags'],
    sagemaker('model/inferdrop-a-pipeline-0a'),
  );
  add('PrepareModelRole', ['iam:PassRole'], modelRoleArn, pass);

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
  writes('CanaryRole', 'incoming/inferdrop-canary/2026-03-02/_READY');
  writes('CanaryRole', 'pipelines/inferdrop-canary/pipeline.json');
  reads('CanaryRole', 'runs/inferdrop-canary/2026-03-02/000001/report.json');

  add('AwaitLeftJobsRole', ['sagemaker:DescribeTransformJob'], job);
  add('AwaitLeftJobsRole', ['sagemaker:DescribeTrainingJob'], trainingJob);
  writes('AwaitLeftJobsRole', `${RUN}/jobs/1/job.json`);
  for (const role of ['CleanUpRunRole', 'SweepRole']) {
    writes(role, `${STATE}/ended.json`);
    add(role, ['sagemaker:DescribeTransformJob'], job);
    add(role, ['sagemaker:DescribeTrainingJob'], trainingJob);
    add(role, ['sagemaker:StopTrainingJob'], trainingJob, ours);
    for (const name of ['batch-inference', 'training', 'report-failure'])
      add(role, ['states:StartExecution'], machine(name));
    add(
      role,
      ['states:DescribeExecution', 'states:StopExecution'],
      arn('states', `execution:${stackName}-batch-inference:a`),
    );
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
}
