import { AwsError } from '../../gateway/aws-error.ts';
import { toArn } from '../arn.ts';
import { CreateModelInput } from '../model-record.ts';
import { parseInput } from '../parse-input.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Records a model. Image and archive are looked at when a job starts, as in the cloud. */
export function createModel(state: SageMakerState, body: unknown): { ModelArn: string } {
  const input = parseInput(CreateModelInput, body);
  if ((input.PrimaryContainer === undefined) === (input.Containers === undefined)) {
    throw new AwsError(
      'ValidationException',
      'Exactly one of PrimaryContainer and Containers must be specified',
    );
  }
  const arn = toArn(state.site, 'model', input.ModelName);
  if (state.models.get(input.ModelName)) {
    throw new AwsError('ValidationException', `Cannot create already existing model "${arn}".`);
  }
  for (const container of [input.PrimaryContainer, ...(input.Containers ?? [])]) {
    if (container && container.Image === undefined && container.ModelPackageName === undefined) {
      throw new AwsError(
        'ValidationException',
        'Either Image or ModelPackageName must be specified for each container',
      );
    }
  }
  const { ExecutionRoleArn: roleArn } = input;
  const caller = { service: 'sagemaker.amazonaws.com', sourceArn: arn };
  if (roleArn !== undefined && !state.access.mayAssume(caller, roleArn)) {
    throw new AwsError(
      'ValidationException',
      `Could not assume role ${roleArn}. Please ensure that the role exists and allows principal 'sagemaker.amazonaws.com' to assume the role.`,
    );
  }
  state.models.set(input.ModelName, { arn, creationTimeMs: state.clock.now(), input });
  return { ModelArn: arn };
}
