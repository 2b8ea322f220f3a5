import { rmSync } from 'node:fs';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { jsonService } from '../kernel/json-service.ts';
import type { Service } from '../kernel/service.ts';
import { addTags } from './actions/add-tags.ts';
import { createEndpoint } from './actions/create-endpoint.ts';
import { createEndpointConfig } from './actions/create-endpoint-config.ts';
import { createInferenceComponent } from './actions/create-inference-component.ts';
import { createModel } from './actions/create-model.ts';
import { createTrainingJob } from './actions/create-training-job.ts';
import { createTransformJob } from './actions/create-transform-job.ts';
import { deleteEndpoint } from './actions/delete-endpoint.ts';
import { deleteEndpointConfig } from './actions/delete-endpoint-config.ts';
import { deleteInferenceComponent } from './actions/delete-inference-component.ts';
import { deleteModel } from './actions/delete-model.ts';
import { deleteTags } from './actions/delete-tags.ts';
import { deleteTrainingJob } from './actions/delete-training-job.ts';
import { describeEndpoint } from './actions/describe-endpoint.ts';
import { describeEndpointConfig } from './actions/describe-endpoint-config.ts';
import { describeInferenceComponent } from './actions/describe-inference-component.ts';
import { describeModel } from './actions/describe-model.ts';
import { describeTrainingJob } from './actions/describe-training-job.ts';
import { describeTransformJob } from './actions/describe-transform-job.ts';
import { listEndpointConfigs } from './actions/list-endpoint-configs.ts';
import { listEndpoints } from './actions/list-endpoints.ts';
import { listInferenceComponents } from './actions/list-inference-components.ts';
import { listModels } from './actions/list-models.ts';
import { listTags } from './actions/list-tags.ts';
import { listTrainingJobs } from './actions/list-training-jobs.ts';
import { listTransformJobs } from './actions/list-transform-jobs.ts';
import { stopTrainingJob } from './actions/stop-training-job.ts';
import { stopTransformJob } from './actions/stop-transform-job.ts';
import { updateEndpoint } from './actions/update-endpoint.ts';
import { updateEndpointWeightsAndCapacities } from './actions/update-endpoint-weights-and-capacities.ts';
import { updateInferenceComponentRuntimeConfig } from './actions/update-inference-component-runtime-config.ts';
import { Components } from './component/components.ts';
import { Hosting } from './endpoint/hosting.ts';
import { hasRoomForEndpoint } from './instance-quota.ts';
import { parseInput } from './parse-input.ts';
import { type SageMakerOptions, withDefaults } from './sagemaker-options.ts';
import { openRecords, type SageMakerState } from './sagemaker-state.ts';
import { throttled } from './throttled.ts';
import { runTrainingJob } from './training/run-training-job.ts';
import { RunningTrainings } from './training/running-trainings.ts';
import { toTrainingRunner } from './training/training-runner.ts';
import { runTransformJob } from './transform/run-transform-job.ts';
import { createRunningJobs } from './transform/running-jobs.ts';

/** SageMaker as the rest of the stack uses it. */
export interface SageMaker {
  readonly service: Service;
  readonly resources: ResourceTypes;
  /** Finds the variant that answers InvokeEndpoint. */
  readonly route: Hosting['route'];
  /** Finds the copy of an inference component that answers InvokeEndpoint; Application Auto Scaling sets their number. */
  readonly components: Components;
  /** Resolves when no job runs and no endpoint is on its way to another status. */
  idle(): Promise<void>;
}

const ACTIONS = [
  addTags,
  createEndpoint,
  createEndpointConfig,
  createInferenceComponent,
  createModel,
  createTrainingJob,
  createTransformJob,
  deleteEndpoint,
  deleteEndpointConfig,
  deleteInferenceComponent,
  deleteModel,
  deleteTags,
  deleteTrainingJob,
  describeEndpoint,
  describeEndpointConfig,
  describeInferenceComponent,
  describeModel,
  describeTrainingJob,
  describeTransformJob,
  listEndpointConfigs,
  listEndpoints,
  listInferenceComponents,
  listModels,
  listTags,
  listTrainingJobs,
  listTransformJobs,
  stopTrainingJob,
  stopTransformJob,
  updateEndpoint,
  updateEndpointWeightsAndCapacities,
  updateInferenceComponentRuntimeConfig,
];

/** SageMaker's control plane with models, transform jobs and endpoints that really run. */
export function createSageMaker(options: SageMakerOptions): SageMaker {
  const parts = withDefaults(options);
  const { clock, bus, objectsOf, limits } = parts;
  // What a process that was killed left behind.
  rmSync(parts.workDir, { recursive: true, force: true });
  const records = openRecords(options.dir);
  const running = createRunningJobs({
    jobs: records.jobs,
    bus,
    clock,
    run: (job, model, fault, progress) =>
      runTransformJob({ ...parts, objects: objectsOf(model) }, job, model, fault, progress),
  });
  const runningTrainings = new RunningTrainings({
    jobs: records.trainingJobs,
    bus,
    clock,
    run: (job, fault, progress) =>
      runTrainingJob(toTrainingRunner(job, { ...parts, hosts: parts.trainingHosts }), job, fault, progress),
  });
  const hosting = new Hosting({ ...parts, endpoints: records.endpoints });
  const components = new Components({
    ...parts,
    components: records.inferenceComponents,
    endpoints: records.endpoints,
    hasRoom: (type, more) => hasRoomForEndpoint({ ...records, limits }, type, more),
  });
  const state: SageMakerState = { ...parts, ...records, running, runningTrainings, hosting, components };
  return {
    service: jsonService({
      name: 'sagemaker',
      target: 'SageMaker',
      version: '1.1',
      actions: throttled(
        ACTIONS.map((make) => make(state)),
        limits.sagemakerRequestsPerSecond,
        clock,
      ),
      parse: parseInput,
      close: async () => {
        await Promise.all([running.close(), runningTrainings.close(), components.close(), hosting.close()]);
      },
    }),
    resources: {},
    route: (name, variantName) => hosting.route(name, variantName),
    components,
    idle: async () => {
      await Promise.all([running.idle(), runningTrainings.idle(), hosting.idle(), components.idle()]);
    },
  };
}
