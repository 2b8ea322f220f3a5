import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, on, onAll, onOne } from '../asked-of-role.ts';
import {
  ComponentStatus,
  CreateInferenceComponentInput,
  RuntimeConfig,
} from '../component/component-record.ts';
import { ListInput, listPage } from '../list-page.ts';
import { requireComponent, requireEndpoint, requireModel } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Calls on inference components. */
export const inferenceComponentActions = (state: SageMakerState) => [
  /** Brings copies of a model up on an endpoint that hosts inference components; the answer does not wait for them. */
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
  }),
  /** Status of a component, its model, and its copies: those wanted and those in service. */
  action('DescribeInferenceComponent', {
    input: z.strictObject({ InferenceComponentName: z.string() }),
    permissions: onOne(state, 'inference-component'),
    run: ({ InferenceComponentName }) => {
      const { input, ...component } = requireComponent(state, InferenceComponentName);
      const { EndpointName, VariantName, Specification } = input;
      return {
        InferenceComponentName,
        InferenceComponentArn: component.arn,
        EndpointName,
        EndpointArn: toArn(state.site, 'endpoint', EndpointName),
        VariantName,
        FailureReason: component.failureReason,
        Specification,
        RuntimeConfig: {
          DesiredCopyCount: component.desired,
          CurrentCopyCount: state.components.countOf(InferenceComponentName),
        },
        CreationTime: new Date(component.creationTimeMs),
        LastModifiedTime: new Date(component.lastModifiedTimeMs),
        InferenceComponentStatus: component.status,
      };
    },
  }),
  /** Inference components, newest first, ten at a time. */
  action('ListInferenceComponents', {
    input: ListInput.pick({ MaxResults: true, NextToken: true, NameContains: true }).extend({
      EndpointNameEquals: z.string().optional(),
      StatusEquals: ComponentStatus.optional(),
    }),
    permissions: onAll,
    run: (input) => {
      const { EndpointNameEquals, StatusEquals } = input;
      const found = [...state.inferenceComponents.values()]
        .filter((one) => (EndpointNameEquals ?? one.input.EndpointName) === one.input.EndpointName)
        .filter(({ status }) => (StatusEquals ?? status) === status);
      const page = listPage(found, input, (one) => ({ ...one, name: one.input.InferenceComponentName }));
      return {
        InferenceComponents: page.items.map(({ input: asked, ...component }) => ({
          InferenceComponentName: asked.InferenceComponentName,
          InferenceComponentArn: component.arn,
          EndpointName: asked.EndpointName,
          EndpointArn: toArn(state.site, 'endpoint', asked.EndpointName),
          VariantName: asked.VariantName,
          InferenceComponentStatus: component.status,
          CreationTime: new Date(component.creationTimeMs),
          LastModifiedTime: new Date(component.lastModifiedTimeMs),
        })),
        NextToken: page.nextToken,
      };
    },
  }),
  /** Gives a component another number of copies; the answer does not wait for them. */
  action('UpdateInferenceComponentRuntimeConfig', {
    input: z.strictObject({ InferenceComponentName: z.string(), DesiredRuntimeConfig: RuntimeConfig }),
    permissions: onOne(state, 'inference-component'),
    run: ({ InferenceComponentName, DesiredRuntimeConfig }) => {
      const { arn, status } = requireComponent(state, InferenceComponentName);
      if (status !== 'InService')
        throw validationException(`Inference component "${arn}" is ${status}: it must be InService.`);
      state.components.set(InferenceComponentName, DesiredRuntimeConfig.CopyCount);
      return { InferenceComponentArn: arn };
    },
  }),
  /** Stops the copies of a component that is not on its way to another status; it is gone when they are. */
  action('DeleteInferenceComponent', {
    input: z.strictObject({ InferenceComponentName: z.string() }),
    permissions: onOne(state, 'inference-component'),
    run: ({ InferenceComponentName }) => {
      const { arn, status } = requireComponent(state, InferenceComponentName);
      const inState = UNDER_WAY[status];
      if (inState !== undefined)
        throw validationException(
          `Cannot delete inference component "${arn}" while it is in state ${inState}.`,
        );
      state.components.remove(InferenceComponentName);
    },
  }),
];

function refuse(message: string): never {
  throw validationException(message);
}

/** SageMaker's internal states, which its refusals name. */
const UNDER_WAY: Readonly<Record<string, string>> = {
  Creating: 'CREATE_IN_PROGRESS',
  Updating: 'UPDATE_RC_IN_PROGRESS',
  Deleting: 'DELETE_IN_PROGRESS',
};
