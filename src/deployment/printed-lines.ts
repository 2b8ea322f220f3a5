import type { StackPlace } from './stack-state.ts';

/** Line that names the account in which a command works, printed before it does anything. */
export function accountLine(caller: {
  readonly account: string;
  readonly region: string;
  readonly arn: string;
}): string {
  return `Account ${caller.account}, region ${caller.region}, as ${caller.arn}`;
}

/** Lines at the end of a deployment: the places of its data and its API, and the next steps. */
export function deployedLines(
  outputs: ReadonlyMap<string, string>,
  { stage, region }: Pick<StackPlace, 'stage' | 'region'>,
): string[] {
  return [
    `bucket: ${outputs.get('BucketName') ?? 'none'}`,
    `API: ${outputs.get('ApiUrl') ?? 'none'}`,
    `next: AWS_REGION=${region} inferdrop pipeline put my-pipeline --stage ${stage}`,
  ];
}

/** Lines at the end of a removal: what stays, and how a new deployment takes it over. */
export function removedLines(bucket: string, { stackName, stage, region }: StackPlace): string[] {
  return [
    `Kept: s3://${bucket} with all its objects. A new deployment takes it over: inferdrop deploy --stage ${stage} ` +
      `--region ${region} --param bucketName=${bucket}`,
    'Kept: logs of models and trainings, in /aws/sagemaker/TransformJobs, /aws/sagemaker/TrainingJobs, ' +
      `/aws/sagemaker/Endpoints/${stackName}-* and /aws/sagemaker/InferenceComponents/${stackName}-*, until you delete ` +
      'them',
  ];
}
