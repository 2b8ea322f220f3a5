import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckModel } from '@inferdrop/model-container/check-model';
import type { StartContainer } from '@inferdrop/model-container/container';
import { type ContainerHostOptions, createContainerHost } from '@inferdrop/model-container/container-host';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { jsonService } from '../kernel/json-service.ts';
import { everyServiceAllowed, type RoleSessions, type ServiceAccess } from '../kernel/permission.ts';
import type { AlarmStates, EventBus, LogWriter, MetricWriter, ObjectAccess } from '../kernel/ports.ts';
import type { Service, ServiceBase } from '../kernel/service.ts';
import { AccountLimits } from '../service-quotas/account-limits.ts';
import { addTags } from './actions/add-tags.ts';
import { createEndpoint } from './actions/create-endpoint.ts';
import { createEndpointConfig } from './actions/create-endpoint-config.ts';
import { createModel } from './actions/create-model.ts';
import { createTrainingJob } from './actions/create-training-job.ts';
import { createTransformJob } from './actions/create-transform-job.ts';
import { deleteEndpoint } from './actions/delete-endpoint.ts';
import { deleteEndpointConfig } from './actions/delete-endpoint-config.ts';
import { deleteModel } from './actions/delete-model.ts';
import { deleteTags } from './actions/delete-tags.ts';
import { deleteTrainingJob } from './actions/delete-training-job.ts';
import { describeEndpoint } from './actions/describe-endpoint.ts';
import { describeEndpointConfig } from './actions/describe-endpoint-config.ts';
import { describeModel } from './actions/describe-model.ts';
import { describeTrainingJob } from './actions/describe-training-job.ts';
import { describeTransformJob } from './actions/describe-transform-job.ts';
import { listEndpointConfigs } from './actions/list-endpoint-configs.ts';
import { listEndpoints } from './actions/list-endpoints.ts';
import { listModels } from './actions/list-models.ts';
import { listTags } from './actions/list-tags.ts';
import { listTrainingJobs } from './actions/list-training-jobs.ts';
import { listTransformJobs } from './actions/list-transform-jobs.ts';
import { stopTrainingJob } from './actions/stop-training-job.ts';
import { stopTransformJob } from './actions/stop-transform-job.ts';
import { updateEndpoint } from './actions/update-endpoint.ts';
import { updateEndpointWeightsAndCapacities } from './actions/update-endpoint-weights-and-capacities.ts';
import { updateTrainingJob } from './actions/update-training-job.ts';
import { createHosting, type Hosting } from './endpoint/hosting.ts';
import { toServedImage } from './endpoint/legacy-accelerator.ts';
import type { ModelRecord } from './model-record.ts';
import { refusedModels } from './model-refusals.ts';
import { objectsAsRole } from './objects-as-role.ts';
import { parseInput } from './parse-input.ts';
import { openRecords, type SageMakerState } from './sagemaker-state.ts';
import { throttled } from './throttled.ts';
import { runTrainingJob } from './training/run-training-job.ts';
import { createRunningTrainings } from './training/running-trainings.ts';
import type { TrainingFaults } from './training/training-faults.ts';
import {
  processHosts,
  type TrainingHosts,
  type TrainingMode,
  type TrainingPythons,
} from './training/training-hosts.ts';
import { toTrainingRunner } from './training/training-runner.ts';
import { runTransformJob } from './transform/run-transform-job.ts';
import { createRunningJobs } from './transform/running-jobs.ts';
import type { TransformFaults } from './transform-faults.ts';

export interface SageMakerOptions extends ServiceBase {
  readonly bus: EventBus;
  readonly objects: ObjectAccess;
  readonly logs: LogWriter;
  /** Of training jobs. */
  readonly metrics: MetricWriter;
  readonly faults?: TransformFaults & TrainingFaults;
  /** Containers in processes of their own by default. */
  readonly startContainer?: StartContainer;
  /** What those run: their engine, and the Python of their scripts. */
  readonly containers?: ContainerHostOptions;
  /** How hosts of training jobs are made; `portable` by default. */
  readonly trainingMode?: TrainingMode;
  /** Interpreters of training jobs in place of the installed ones. */
  readonly trainingPythons?: TrainingPythons;
  /** Training jobs run also where this machine's framework has another major version than their image. */
  readonly anyFrameworkVersion?: boolean;
  /** Hosts of training jobs; processes of this machine by default. */
  readonly trainingHosts?: TrainingHosts;
  /** Finds models that the containers cannot run when they are created; without it their jobs fail. */
  readonly checkModel?: CheckModel;
  /** Whom containers act as; without it they may do everything. */
  readonly roles?: RoleSessions;
  /** Which roles trust SageMaker; by default all. */
  readonly access?: ServiceAccess;
  /** Alarms for rollbacks of updates; by default there are none. */
  readonly alarms?: AlarmStates;
  /** What the account may use at once; the laptop's own by default. */
  readonly limits?: AccountLimits;
  /** Accepts accelerators of Elastic Inference, which AWS refuses since April 2024. */
  readonly legacyElasticInference?: boolean;
  /** How long a serverless variant stays warm without requests; five minutes by default. */
  readonly serverlessIdleMs?: number;
  readonly random?: () => number;
}

export interface SageMaker {
  readonly service: Service;
  readonly resources: ResourceTypes;
  /** Finds the variant that answers InvokeEndpoint. */
  readonly route: Hosting['route'];
  /** Resolves when no job runs and no endpoint is on its way to another status. */
  idle(): Promise<void>;
}

const ACTIONS = [
  addTags,
  createEndpoint,
  createEndpointConfig,
  createModel,
  createTrainingJob,
  createTransformJob,
  deleteEndpoint,
  deleteEndpointConfig,
  deleteModel,
  deleteTags,
  deleteTrainingJob,
  describeEndpoint,
  describeEndpointConfig,
  describeModel,
  describeTrainingJob,
  describeTransformJob,
  listEndpointConfigs,
  listEndpoints,
  listModels,
  listTags,
  listTrainingJobs,
  listTransformJobs,
  stopTrainingJob,
  stopTransformJob,
  updateEndpoint,
  updateEndpointWeightsAndCapacities,
  updateTrainingJob,
];

const SERVERLESS_IDLE_MS = 5 * 60_000;

/** SageMaker's control plane with models, transform jobs and endpoints that really run. */
export function createSageMaker(options: SageMakerOptions): SageMaker {
  const { site, clock, bus, objects, logs, roles, faults = {} } = options;
  const limits = options.limits ?? AccountLimits.parse({});
  const alarms = options.alarms ?? { stateOf: () => undefined };
  const environmentsDir = join(options.dir, 'python-environments');
  const startContainer =
    options.startContainer ?? createContainerHost({ environmentsDir, ...options.containers });
  const trainingHosts =
    options.trainingHosts ??
    processHosts({
      mode: options.trainingMode ?? 'portable',
      environmentsDir,
      ...(options.trainingPythons && { pythons: options.trainingPythons }),
    });
  const objectsOf = ({ input }: ModelRecord): ObjectAccess =>
    roles ? objectsAsRole(objects, input.ExecutionRoleArn, site, roles) : objects;
  const workDir = join(options.dir, 'work');
  const refusalOf = options.checkModel
    ? refusedModels({
        objectsOf,
        check: options.checkModel,
        workDir,
        ...(options.legacyElasticInference && { imageThatRuns: toServedImage }),
      })
    : () => Promise.resolve(undefined);
  // What a process that was killed left behind.
  rmSync(workDir, { recursive: true, force: true });
  const records = openRecords(options.dir);
  const running = createRunningJobs({
    jobs: records.jobs,
    bus,
    clock,
    run: (job, model, fault, progress) =>
      runTransformJob(
        { objects: objectsOf(model), logs, clock, faults, startContainer, workDir },
        job,
        model,
        fault,
        progress,
      ),
  });
  const runningTrainings = createRunningTrainings({
    jobs: records.trainingJobs,
    bus,
    clock,
    run: (job, fault, progress) =>
      runTrainingJob(
        toTrainingRunner(job, { ...options, faults, hosts: trainingHosts, workDir }),
        job,
        fault,
        progress,
      ),
  });
  const hosting = createHosting({
    endpoints: records.endpoints,
    bus,
    alarms,
    objectsOf,
    logs,
    clock,
    startContainer,
    workDir,
    random: options.random ?? Math.random,
    serverlessIdleMs: options.serverlessIdleMs ?? SERVERLESS_IDLE_MS,
  });
  const state: SageMakerState = {
    site,
    clock,
    bus,
    objects,
    faults,
    running,
    trainingHosts,
    runningTrainings,
    hosting,
    alarms,
    anyFrameworkVersion: options.anyFrameworkVersion ?? false,
    access: options.access ?? everyServiceAllowed,
    roles,
    refusalOf,
    legacyElasticInference: options.legacyElasticInference ?? false,
    limits,
    ...records,
  };
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
        await Promise.all([running.close(), runningTrainings.close(), hosting.close()]);
      },
    }),
    resources: {},
    route: (name, variantName) => hosting.route(name, variantName),
    idle: async () => {
      await Promise.all([running.idle(), runningTrainings.idle(), hosting.idle()]);
    },
  };
}
