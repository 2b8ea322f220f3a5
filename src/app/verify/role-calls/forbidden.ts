import {
  arnOf,
  callsOf,
  ENDPOINT,
  objectArn,
  OWNER,
  type RoleCall,
  RUN,
  TRAINING_JOB,
  TRANSFORM_JOB,
} from './role-call.ts';

const THEIRS = { [OWNER]: 'the-bucket-of-another-application' };
const PUT = 's3:PutObject';
const PUT_AND_DELETE = 's3:PutObject s3:DeleteObject';

/** Calls that IAM must refuse: what serves, what belongs to others, and what decides over a model stay out of reach of a role. */
export const FORBIDDEN: readonly RoleCall[] = [
  // Without the tag of a candidate an endpoint may serve.
  ...callsOf('SweepEndpointsRole', 'sagemaker:DeleteEndpoint', ENDPOINT, { [OWNER]: '{Bucket}' }),
  ...callsOf('DeployEndpointRole RollBackEndpointRole', 'sagemaker:UpdateEndpoint', ENDPOINT, THEIRS),
  ...callsOf(
    'DeployEndpointRole RollBackEndpointRole DeleteEndpointRole',
    'sagemaker:DeleteEndpoint',
    ENDPOINT,
    THEIRS,
  ),
  // It rings the alarms of updates, and no operator's.
  ...callsOf(
    'RollBackEndpointRole',
    'cloudwatch:SetAlarmState',
    arnOf('cloudwatch', 'alarm:{stack}-failed-deployments'),
  ),
  ...stops('StartTransformRole CheckTransformRole', 'sagemaker:StopTransformJob', TRANSFORM_JOB),
  ...stops('StartTrainingRole CheckTrainingRole', 'sagemaker:StopTrainingJob', TRAINING_JOB),
  ...passing('PrepareModelRole DeployEndpointRole', 'arn:{partition}:iam::{account}:role/{ModelRole}'),
  ...passing('StartTrainingRole', 'arn:{partition}:iam::{account}:role/{TrainingRole}'),
  // Containers run code of the archive's author.
  ...['pipelines/a-pipeline/model.tar.gz', 'models/0a/model.tar.gz', `${RUN}/report.json`].flatMap((key) =>
    callsOf('ModelRole TrainingRole', PUT_AND_DELETE, objectArn(key)),
  ),
  // Neither do they write the plans and reports of a drop that has the name of a folder of theirs, by which a model is deployed.
  ...['predictions', 'shards'].flatMap((drop) =>
    callsOf('ModelRole PredictShardRole', PUT, objectArn(`runs/a-pipeline/${drop}/000001/plan.json`)),
  ),
  // No model vouches for the bundles of another one: only ReconcileOutputs writes what it has read.
  ...callsOf(
    'ModelRole TrainingRole PredictShardRole PrepareModelRole RegisterModelRole',
    PUT_AND_DELETE,
    objectArn('models/0a/bundles/0b.json'),
  ),
  // Functions open it unseen: only PrepareModel writes it, and it runs no code of an archive.
  ...callsOf(
    'ModelRole TrainingRole PredictShardRole ServeModelRole RegisterModelRole EvaluateModelRole',
    PUT_AND_DELETE,
    objectArn('models/0a/onnx/0a/conversion.json'),
  ),
];

/** A job of another application is stopped neither by the roles that start and check jobs, nor by those that clean up. */
function stops(roles: string, action: string, job: string): readonly RoleCall[] {
  return callsOf(`${roles} CleanUpRunRole SweepRole`, action, job, THEIRS);
}

/** A role of containers goes only to SageMaker, and no other role does. */
function passing(roles: string, passed: string): readonly RoleCall[] {
  const to = (service: string) => ({ 'iam:PassedToService': `${service}.amazonaws.com` });
  const another = 'arn:{partition}:iam::{account}:role/another';
  return [
    ...callsOf(roles, 'iam:PassRole', passed, to('ec2')),
    ...callsOf(roles, 'iam:PassRole', another, to('sagemaker')),
  ];
}
