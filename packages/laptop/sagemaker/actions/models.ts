import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, onAll, onOne, passing } from '../asked-of-role.ts';
import { ListInput, listPage } from '../list-page.ts';
import { type ContainerDefinition, CreateModelInput } from '../model-record.ts';
import { requireModel, requireTrust } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Calls on models. */
export const modelActions = (state: SageMakerState) => [
  /**
   * Records a model. What is wrong with image or archive fails the job, as in the cloud; a model that this stack cannot run is refused
   * here, before a job is waited for.
   */
  action('CreateModel', {
    input: CreateModelInput,
    permissions: asking((input, name) => [...making(state, 'model', input, name), ...passing(input)]),
    run: async (input) => {
      if ((input.PrimaryContainer === undefined) === (input.Containers === undefined))
        throw validationException('Exactly one of PrimaryContainer and Containers must be specified');
      const arn = toArn(state.site, 'model', input.ModelName);
      const refuseTaken = (): void => {
        if (state.models.get(input.ModelName))
          throw validationException(`Cannot create already existing model "${arn}".`);
      };
      refuseTaken();
      for (const container of [input.PrimaryContainer, ...(input.Containers ?? [])]) {
        if (container && container.Image === undefined && container.ModelPackageName === undefined)
          throw validationException('Either Image or ModelPackageName must be specified for each container');
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
  }),
  /** Returns the input of CreateModel, with its defaults. */
  action('DescribeModel', {
    input: z.strictObject({ ModelName: z.string() }),
    permissions: onOne(state, 'model'),
    run: (asked) => {
      const model = requireModel(state, asked.ModelName);
      const { Tags: _tags, PrimaryContainer, Containers, ...input } = model.input;
      return {
        ...input,
        PrimaryContainer: PrimaryContainer && withDefaults(PrimaryContainer),
        Containers: Containers?.map(withDefaults),
        ModelArn: model.arn,
        CreationTime: new Date(model.creationTimeMs),
        EnableNetworkIsolation: input.EnableNetworkIsolation ?? false,
      };
    },
  }),
  /** Models, by default newest first, ten at a time. */
  action('ListModels', {
    input: ListInput.extend({ SortBy: z.enum(['Name', 'CreationTime']).optional() }),
    permissions: onAll,
    run: (asked) => {
      const page = listPage(state.models.values(), asked, ({ input, creationTimeMs }) => ({
        name: input.ModelName,
        creationTimeMs,
      }));
      return {
        Models: page.items.map(({ input, arn, creationTimeMs }) => ({
          ModelName: input.ModelName,
          ModelArn: arn,
          CreationTime: new Date(creationTimeMs),
        })),
        NextToken: page.nextToken,
      };
    },
  }),
  /** Removes a model; jobs that run with it go on, for they have their own copy. */
  action('DeleteModel', {
    input: z.strictObject({ ModelName: z.string() }),
    permissions: onOne(state, 'model'),
    run: ({ ModelName: name }) => {
      requireModel(state, name);
      state.models.delete(name);
    },
  }),
];

function withDefaults(container: ContainerDefinition): ContainerDefinition {
  return { Mode: 'SingleModel', Environment: {}, ...container };
}
