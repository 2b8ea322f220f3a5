import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onOne } from '../asked-of-role.ts';
import { type ContainerDefinition, ModelName } from '../model-record.ts';
import { requireModel } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Returns the input of CreateModel, with its defaults. */
export const describeModel = (state: SageMakerState) =>
  action('DescribeModel', {
    input: z.strictObject({ ModelName }),
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
  });

function withDefaults(container: ContainerDefinition): ContainerDefinition {
  return { Mode: 'SingleModel', Environment: {}, ...container };
}
