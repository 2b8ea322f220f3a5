import { type RoleCallRecord, RUN, STATE, TRAINING } from './role-call-record.ts';

/** Calls of the steps of a training, and of the containers of training jobs. */
export function recordTrainingCalls({
  partition,
  bucket,
  trainingRoleArn,
  arn,
  machine,
  trainingJob,
  ours,
  pass,
  object,
  add,
  reads,
  writes,
}: RoleCallRecord): void {
  reads(
    'TrainingRole',
    'training/a-pipeline/a-drop/a.png',
    'sources/0a/sourcedir.tar.gz',
    `${TRAINING}/channels/train.manifest`,
    `${TRAINING}/checkpoints/a`,
  );
  writes('TrainingRole', `${TRAINING}/output/a/output/model.tar.gz`, `${TRAINING}/checkpoints/a`);
  add('TrainingRole', ['s3:DeleteObject'], object(`${TRAINING}/checkpoints/a`));
  add('TrainingRole', ['s3:ListBucket'], `arn:${partition}:s3:::${bucket}`, {
    's3:prefix': 'training/a-pipeline/a-drop/',
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
}
