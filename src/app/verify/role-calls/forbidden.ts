import { arnOf, callsOf, ENDPOINT, jobStops, objectArn, OWNER, type RoleCall, RUN } from './role-call.ts';

const THEIRS = { [OWNER]: 'the-bucket-of-another-application' };
const MODEL_ROLE = 'arn:{partition}:iam::{account}:role/{ModelRole}';
const TRAINING_ROLE = 'arn:{partition}:iam::{account}:role/{TrainingRole}';
const ANOTHER_ROLE = 'arn:{partition}:iam::{account}:role/another';

/** Calls that IAM must refuse: what serves, what belongs to others, and what decides over a model stay out of reach of a role. */
export const FORBIDDEN: readonly RoleCall[] = [
  // Without the tag of a candidate an endpoint may serve.
  ...callsOf(['SweepEndpointsRole'], ['sagemaker:DeleteEndpoint'], ENDPOINT, { [OWNER]: '{Bucket}' }),
  ...callsOf(
    ['DeployEndpointRole', 'RollBackEndpointRole'],
    ['sagemaker:UpdateEndpoint', 'sagemaker:DeleteEndpoint'],
    ENDPOINT,
    THEIRS,
  ),
  ...callsOf(['DeleteEndpointRole'], ['sagemaker:DeleteEndpoint'], ENDPOINT, THEIRS),
  // It rings the alarms of updates, and no operator's.
  ...callsOf(
    ['RollBackEndpointRole'],
    ['cloudwatch:SetAlarmState'],
    arnOf('cloudwatch', 'alarm:{stack}-failed-deployments'),
  ),
  ...jobStops(['CleanUpRunRole', 'SweepRole'], THEIRS),
  ...passing(['PrepareModelRole', 'DeployEndpointRole'], MODEL_ROLE),
  ...passing(['StartTrainingRole'], TRAINING_ROLE),
  // Containers run code of the archive's author.
  ...['pipelines/a-pipeline/model.tar.gz', 'models/0a/model.tar.gz', `${RUN}/report.json`].flatMap((key) =>
    callsOf(['ModelRole', 'TrainingRole'], ['s3:PutObject', 's3:DeleteObject'], objectArn(key)),
  ),
  // Neither do they write the plans and reports of a drop that has the name of a folder of theirs, by which a model is deployed.
  ...['predictions', 'shards'].flatMap((drop) =>
    callsOf(
      ['ModelRole', 'PredictShardRole'],
      ['s3:PutObject'],
      objectArn(`runs/a-pipeline/${drop}/000001/plan.json`),
    ),
  ),
  // No model vouches for the bundles of another one: only ReconcileOutputs writes what it has read.
  ...callsOf(
    ['ModelRole', 'TrainingRole', 'PredictShardRole', 'PrepareModelRole', 'RegisterModelRole'],
    ['s3:PutObject', 's3:DeleteObject'],
    objectArn('models/0a/bundles/0b.json'),
  ),
  // Functions open it unseen: only PrepareModel writes it, and it runs no code of an archive.
  ...callsOf(
    [
      'ModelRole',
      'TrainingRole',
      'PredictShardRole',
      'ServeModelRole',
      'RegisterModelRole',
      'EvaluateModelRole',
    ],
    ['s3:PutObject', 's3:DeleteObject'],
    objectArn('models/0a/onnx/0a/conversion.json'),
  ),
];

/** A role of containers goes only to SageMaker, and no other role does. */
function passing(roles: readonly string[], passed: string): readonly RoleCall[] {
  const to = (service: string) => ({ 'iam:PassedToService': `${service}.amazonaws.com` });
  return [
    ...callsOf(roles, ['iam:PassRole'], passed, to('ec2')),
    ...callsOf(roles, ['iam:PassRole'], ANOTHER_ROLE, to('sagemaker')),
  ];
}
