import { AwsError } from '../../kernel/aws-error.ts';

/** The error where another job has the name. */
export function jobNameTaken(arn: string): AwsError {
  return new AwsError(
    'ResourceInUse',
    `Job name must be unique within an AWS account and region, and a job with this name already exists (${arn})`,
  );
}
