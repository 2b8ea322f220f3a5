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

const COMPONENT = arnOf('sagemaker', 'inference-component/{stack}-a-pipeline');
const SHARDS = arnOf('states', 'execution:{stack}-predict-shards:a');
const TRAINING_RUN = 'runs/training/a-pipeline/a-drop/000001';
const OURS = { [OWNER]: '{Bucket}' };
const KEY = 'kms:Decrypt kms:GenerateDataKey';
const LOG = 'logs:CreateLogGroup logs:CreateLogStream logs:PutLogEvents';
const MAP = 's3:GetObject s3:ListMultipartUploadParts s3:AbortMultipartUpload';
const WATCH = 'states:DescribeExecution states:StopExecution';

/** Calls that no flow on the laptop makes for sure, each with its reason. */
export const UNREACHED: readonly RoleCall[] = [
  // SageMaker itself pulls the image, writes log and metrics, and reads and writes under the bucket's key, with the role of the
  // containers; the laptop asks no role for that.
  ...callsOf('ModelRole TrainingRole', 'ecr:GetAuthorizationToken', '*'),
  ...pulls('ModelRole', 'tensorflow-inference'),
  ...pulls('TrainingRole', 'pytorch-training'),
  ...['TransformJobs', 'Endpoints/{stack}-a-pipeline', 'InferenceComponents/{stack}-a-pipeline'].flatMap(
    (group) => callsOf('ModelRole', LOG, arnOf('logs', `log-group:/aws/sagemaker/${group}:log-stream:a`)),
  ),
  ...callsOf(
    'TrainingRole',
    'logs:CreateLogGroup',
    arnOf('logs', 'log-group:/aws/sagemaker/TrainingJobs:log-stream:a'),
  ),
  ...callsOf('ModelRole', 'cloudwatch:PutMetricData', '*', {
    'cloudwatch:namespace': '/aws/sagemaker/TransformJobs',
  }),
  ...callsOf('ModelRole', 'cloudwatch:DescribeAlarms', arnOf('cloudwatch', 'alarm:*')),
  ...callsOf('ModelRole', 's3:ListBucket', 'arn:{partition}:s3:::{Bucket}', {
    's3:prefix': 'incoming/a-pipeline/',
  }),
  ...callsOf('TrainingRole', 's3:DeleteObject', objectArn(`${TRAINING_RUN}/checkpoints/a/a`)),
  ...callsOf('ModelRole TrainingRole', KEY, '{KmsKeyArn}'),
  ...callsOf('TrainingRole', 'kms:CreateGrant', '{KmsKeyArn}'),

  // Jobs are stopped where a limit of cost or time is passed, or where their record could not be written.
  ...callsOf('StartTransformRole CheckTransformRole', 'sagemaker:StopTransformJob', TRANSFORM_JOB, OURS),
  ...callsOf('StartTransformRole', 'sagemaker:ListTags', TRANSFORM_JOB),
  ...callsOf('StartTrainingRole', 'sagemaker:ListTags', TRAINING_JOB),
  ...callsOf(
    'StartTransformRole',
    'sagemaker:DescribeModel',
    arnOf('sagemaker', 'model/inferdrop-a-pipeline'),
  ),
  // Functions that predict are stopped likewise.
  ...callsOf('StartTransformRole SweepRole', WATCH, SHARDS),
  ...callsOf('CheckTransformRole', 'states:StopExecution', SHARDS),

  // Sweeps find no jobs and no endpoints that were left.
  ...callsOf('SweepRole', 'sagemaker:DescribeTransformJob sagemaker:StopTransformJob', TRANSFORM_JOB, OURS),
  ...callsOf('SweepRole', 'sagemaker:DescribeTrainingJob sagemaker:StopTrainingJob', TRAINING_JOB, OURS),
  ...callsOf('SweepRole', 'states:StopExecution', arnOf('states', 'execution:{stack}-batch-inference:a')),
  ...callsOf('SweepEndpointsRole', 's3:GetObject', objectArn('functions/configs/a')),
  ...callsOf(
    'SweepEndpointsRole',
    's3:DeleteObject s3:GetObject',
    objectArn('functions/endpoints/a-candidate-a.json'),
  ),
  ...callsOf(
    'SweepEndpointsRole',
    'sagemaker:DescribeEndpoint sagemaker:ListTags sagemaker:DeleteEndpoint',
    ENDPOINT,
    { ...OURS, 'aws:ResourceTag/inferdrop:candidate-of': 'a-pipeline' },
  ),
  ...callsOf('SweepEndpointsRole', 'sns:Publish', arnOf('sns', '{stack}')),
  ...writes('SweepEndpointsRole', 'messages/a-pipeline/1-a.json'),

  // No flow predicts, or takes an update back, under a customer's key.
  ...callsOf(
    'CheckEndpointRole JudgeRoundRole PredictRole PredictShardRole PredictShardsRole ServeModelRole',
    KEY,
    '{KmsKeyArn}',
  ),
  ...callsOf('RepairEndpointRole SweepEndpointsRole', 'kms:GenerateDataKey', '{KmsKeyArn}'),
  // "CreateEndpoint: kms:CreateGrant (required only if the associated EndPointConfig has a KmsKeyId)".
  ...callsOf('RollBackEndpointRole', 'kms:CreateGrant', '{KmsKeyArn}', {
    'kms:GrantIsForAWSResource': 'true',
  }),

  // Step Functions' manual asks for these for a Distributed Map; the laptop's does without.
  ...callsOf('StatesRole', MAP, objectArn(`${RUN}/fold-results/a/manifest.json`)),
  ...callsOf('StatesRole', WATCH, arnOf('states', 'execution:{stack}-batch-inference/a:b')),
  ...callsOf('PredictShardsRole', MAP, objectArn(`${RUN}/shard-results/1/a/manifest.json`)),
  ...callsOf('PredictShardsRole', WATCH, arnOf('states', 'execution:{stack}-predict-shards/a:b')),

  // Application Auto Scaling tries its caller's rights on the endpoint; the laptop tries them on one that is not there.
  ...callsOf(
    'FinishEndpointRole DeployEndpointRole RollBackEndpointRole DeleteEndpointRole',
    'sagemaker:UpdateEndpointWeightsAndCapacities',
    ENDPOINT,
    OURS,
  ),
  ...callsOf(
    'FinishEndpointRole RollBackEndpointRole DeleteEndpointRole',
    'sagemaker:UpdateInferenceComponentRuntimeConfig',
    COMPONENT,
    OURS,
  ),
  // One that failed and that another execution left.
  ...callsOf('DeployEndpointRole', 'sagemaker:DeleteInferenceComponent', COMPONENT, OURS),
  ...callsOf(
    'FinishEndpointRole',
    'application-autoscaling:DeregisterScalableTarget',
    arnOf('application-autoscaling', 'scalable-target/1234abcd'),
    { 'application-autoscaling:service-namespace': 'sagemaker' },
  ),

  // A step that is at work when its execution is stopped undoes its own change, unless another was faster: flows meet it by chance.
  ...callsOf(
    'DeployEndpointRole RollBackEndpointRole DeleteEndpointRole',
    'states:StartExecution',
    arnOf('states', 'stateMachine:{stack}-endpoint'),
  ),
  ...callsOf(
    'DeployEndpointRole RollBackEndpointRole DeleteEndpointRole',
    's3:DeleteObject',
    objectArn('endpoints/a-pipeline/change.json'),
  ),

  // Writes that a flow would need many minutes, a large table, or an accident for.
  // A comparison, and the opening of a table, that take more than one call of their function.
  ...writes('ReconcileOutputsRole', `${RUN}/comparison/1/a.jsonl`, `${RUN}/comparison/1/progress.json`),
  ...writes('IndexTarsRole', `${RUN}/members/1/progress.json`),
  // A quote that a pilot has corrected.
  ...writes('ReconcileOutputsRole', `${RUN}/plan.json`),
  // Rounds of a gate that decides early, in bundles.
  ...writes('JudgeRoundRole', `${RUN}/parts/1/inputs.jsonl`, `${RUN}/parts/1/bundles.json`),
  // A trained archive that needs code next to the model.
  ...writes('RegisterModelRole', `${TRAINING_RUN}/packed/model.tar.gz`),
  // An update of an endpoint of functions that is taken back.
  ...writes('RollBackEndpointRole', 'functions/endpoints/a.json'),
  // Jobs that an execution left running; a training that ended without its mark.
  ...writes('SweepRole', `${RUN}/jobs/1/job.json`, `${TRAINING_RUN}/jobs/1/job.json`),
  ...writes('SweepRole', 'state/training/a-pipeline/a-drop/000001/ended.json'),
  // A warning before an endpoint's time is up.
  ...writes('SweepEndpointsRole', 'endpoints/a-pipeline/served.json'),
];

/** A container's image is pulled from the account of AWS's containers in most regions. */
function pulls(role: string, repository: string): readonly RoleCall[] {
  return callsOf(
    role,
    'ecr:BatchGetImage ecr:GetDownloadUrlForLayer ecr:BatchCheckLayerAvailability',
    `arn:{partition}:ecr:{region}:763104351884:repository/${repository}`,
  );
}

function writes(role: string, ...keys: readonly string[]): readonly RoleCall[] {
  return keys.flatMap((key) => callsOf(role, 's3:PutObject', objectArn(key)));
}
