import { type RoleCallRecord, RUN } from './role-call-record.ts';

/** Calls that IAM must refuse: what serves, what belongs to others, and what decides over a model stay out of reach of a role. */
export function recordForbiddenCalls({
  partition,
  account,
  modelRoleArn,
  trainingRoleArn,
  object,
  endpoint,
  job,
  trainingJob,
  ours,
  forbid,
}: RoleCallRecord): void {
  const theirs = { 'aws:ResourceTag/inferdrop:application': 'the-bucket-of-another-application' };
  // Without the tag of a candidate an endpoint may serve.
  forbid('SweepEndpointsRole', ['sagemaker:DeleteEndpoint'], endpoint, ours);
  for (const role of ['DeployEndpointRole', 'RollBackEndpointRole'])
    forbid(role, ['sagemaker:UpdateEndpoint', 'sagemaker:DeleteEndpoint'], endpoint, theirs);
  forbid('DeleteEndpointRole', ['sagemaker:DeleteEndpoint'], endpoint, theirs);
  for (const role of ['StartTransformRole', 'CheckTransformRole', 'CleanUpRunRole', 'SweepRole'])
    forbid(role, ['sagemaker:StopTransformJob'], job, theirs);
  for (const role of ['StartTrainingRole', 'CheckTrainingRole', 'CleanUpRunRole', 'SweepRole'])
    forbid(role, ['sagemaker:StopTrainingJob'], trainingJob, theirs);
  const elsewhere = { 'iam:PassedToService': 'ec2.amazonaws.com' };
  const another = `arn:${partition}:iam::${account}:role/another`;
  const toSageMaker = { 'iam:PassedToService': 'sagemaker.amazonaws.com' };
  for (const [role, passed] of [
    ['PrepareModelRole', modelRoleArn],
    ['DeployEndpointRole', modelRoleArn],
    ['StartTrainingRole', trainingRoleArn],
  ] as const) {
    forbid(role, ['iam:PassRole'], passed, elsewhere);
    forbid(role, ['iam:PassRole'], another, toSageMaker);
  }
  // Containers run code of the archive's author.
  for (const role of ['ModelRole', 'TrainingRole'])
    for (const key of ['pipelines/a-pipeline/model.tar.gz', 'models/0a/model.tar.gz', `${RUN}/report.json`])
      forbid(role, ['s3:PutObject', 's3:DeleteObject'], object(key));
}
