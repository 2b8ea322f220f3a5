import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, passing } from '../asked-of-role.ts';
import { CreateModelInput } from '../model-record.ts';
import { requireTrust } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/**
 * Records a model. What is wrong with image or archive fails the job, as in the cloud; a model that this stack cannot run is refused
 * here, before a job is waited for.
 */
export const createModel = (state: SageMakerState) =>
  action('CreateModel', {
    input: CreateModelInput,
    permissions: asking((input, name) => [...making(state, 'model', input, name), ...passing(input)]),
    run: async (input) => {
      if ((input.PrimaryContainer === undefined) === (input.Containers === undefined)) {
        throw validationException('Exactly one of PrimaryContainer and Containers must be specified');
      }
      const arn = toArn(state.site, 'model', input.ModelName);
      const refuseTaken = (): void => {
        if (state.models.get(input.ModelName))
          throw validationException(`Cannot create already existing model "${arn}".`);
      };
      refuseTaken();
      for (const container of [input.PrimaryContainer, ...(input.Containers ?? [])]) {
        if (container && container.Image === undefined && container.ModelPackageName === undefined) {
          throw validationException('Either Image or ModelPackageName must be specified for each container');
        }
      }
      const { ExecutionRoleArn: roleArn } = input;
      if (roleArn !== undefined) requireTrust(state, arn, roleArn);
      const model = { arn, creationTimeMs: state.clock.now(), input };
      const refusal = await state.refusalOf(model);
      if (refusal !== undefined) throw validationException(`This stack cannot run the model: ${refusal}`);
      refuseTaken();
      state.models.set(input.ModelName, model);
      return { ModelArn: arn };
    },
  });
