import { rmSync } from 'node:fs';
import type { Action } from '../kernel/action.ts';
import { jsonService } from '../kernel/json-service.ts';
import { endpointConfigActions } from './actions/endpoint-configs.ts';
import { endpointActions } from './actions/endpoints.ts';
import { inferenceComponentActions } from './actions/inference-components.ts';
import { modelActions } from './actions/models.ts';
import { tagActions } from './actions/tags.ts';
import { trainingJobActions } from './actions/training-jobs.ts';
import { transformJobActions } from './actions/transform-jobs.ts';
import { endpointUpdateActions } from './actions/update-endpoint.ts';
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
export type SageMaker = ReturnType<typeof createSageMaker>;

const ACTIONS = [
  tagActions,
  endpointActions,
  endpointConfigActions,
  inferenceComponentActions,
  modelActions,
  trainingJobActions,
  transformJobActions,
  endpointUpdateActions,
];

/** SageMaker's control plane with models, transform jobs and endpoints that really run. */
export function createSageMaker(options: SageMakerOptions) {
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
        ACTIONS.flatMap<Action>((actions) => actions(state)),
        limits.sagemakerRequestsPerSecond,
        clock,
      ),
      parse: parseInput,
      close: async () => {
        await Promise.all([running.close(), runningTrainings.close(), components.close(), hosting.close()]);
      },
    }),
    /** Finds the variant that answers InvokeEndpoint. */
    route: (name: string, variantName: string | undefined) => hosting.route(name, variantName),
    /** Finds the copy of an inference component that answers InvokeEndpoint; Application Auto Scaling sets their number. */
    components,
    /** Resolves when no job runs and no endpoint is on its way to another status. */
    idle: async (): Promise<void> => {
      await Promise.all([running.idle(), runningTrainings.idle(), hosting.idle(), components.idle()]);
    },
  };
}
