import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, on } from '../asked-of-role.ts';
import { CreateInferenceComponentInput } from '../component/component-record.ts';
import { requireEndpoint, requireModel } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Brings copies of a model up on an endpoint that hosts inference components; the answer does not wait for them. */
export const createInferenceComponent = (state: SageMakerState) =>
  action('CreateInferenceComponent', {
    input: CreateInferenceComponentInput,
    permissions: asking((input, name) => [
      ...making(state, 'inference-component', input, name),
      on(state, 'endpoint', input, name),
    ]),
    run: (input) => {
      const { InferenceComponentName, EndpointName, VariantName, Specification } = input;
      const arn = toArn(state.site, 'inference-component', InferenceComponentName);
      if (state.inferenceComponents.get(InferenceComponentName))
        refuse(`Cannot create already existing inference component "${arn}".`);
      // In the words of AWS, as users report them: a component comes up with a copy, and is put to sleep afterwards.
      if (input.RuntimeConfig.CopyCount === 0)
        refuse('Inference components copy count an integer larger than 0');
      const endpoint = requireEndpoint(state, EndpointName);
      const { host } = endpoint.content;
      // That the endpoint must be in service is not documented; every example waits for it.
      if (endpoint.status !== 'InService')
        refuse(`Endpoint "${endpoint.arn}" is ${endpoint.status}: it must be InService.`);
      if (host === undefined)
        refuse(
          'Invalid request provided: Inference Components are not supported in this Endpoint. Please make sure this ' +
            'endpoint can deploy inference components.',
        );
      if (host.settings.VariantName !== VariantName)
        refuse(`The endpoint has no production variant ${VariantName}`);
      const model = requireModel(state, Specification.ModelName);
      const now = state.clock.now();
      state.components.create({
        arn,
        status: 'Creating',
        creationTimeMs: now,
        lastModifiedTimeMs: now,
        input,
        model,
        desired: input.RuntimeConfig.CopyCount,
        tags: input.Tags ?? [],
      });
      return { InferenceComponentArn: arn };
    },
  });

function refuse(message: string): never {
  throw validationException(message);
}
