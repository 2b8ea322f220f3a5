import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import type { Clock } from '../gateway/clock.ts';
import { jsonService } from '../gateway/json-service.ts';
import type { EventBus, LogWriter, ObjectAccess } from '../gateway/ports.ts';
import type { JsonActions, Service, Site } from '../gateway/service.ts';
import { addTags } from './actions/add-tags.ts';
import { createModel } from './actions/create-model.ts';
import { createTransformJob } from './actions/create-transform-job.ts';
import { deleteModel } from './actions/delete-model.ts';
import { describeModel } from './actions/describe-model.ts';
import { describeTransformJob } from './actions/describe-transform-job.ts';
import { listModels } from './actions/list-models.ts';
import { listTags } from './actions/list-tags.ts';
import { listTransformJobs } from './actions/list-transform-jobs.ts';
import { stopTransformJob } from './actions/stop-transform-job.ts';
import type { StartContainer } from './containers/container.ts';
import { createContainerHost } from './containers/container-host.ts';
import type { SageMakerState } from './sagemaker-state.ts';
import { openRecords } from './sagemaker-state.ts';
import type { TransformFaults } from './transform-faults.ts';
import { runTransformJob } from './transform/run-transform-job.ts';
import { createRunningJobs } from './transform/running-jobs.ts';

export interface SageMakerOptions {
  /** Where models and jobs are kept. */
  readonly dir: string;
  readonly site: Site;
  readonly clock: Clock;
  readonly bus: EventBus;
  readonly objects: ObjectAccess;
  readonly logs: LogWriter;
  readonly faults?: TransformFaults;
  /** Containers in threads of this process by default. */
  readonly startContainer?: StartContainer;
}

export interface SageMaker {
  readonly service: Service;
  readonly resources: ResourceTypes;
  /** Resolves when no transform job runs. */
  idle(): Promise<void>;
}

/** SageMaker's control plane with models and transform jobs that really run. */
export function createSageMaker(options: SageMakerOptions): SageMaker {
  const { site, clock, bus, objects, logs, faults = {} } = options;
  const startContainer = options.startContainer ?? createContainerHost();
  const workDir = join(options.dir, 'work');
  // What a process that was killed left behind.
  rmSync(workDir, { recursive: true, force: true });
  const records = openRecords(options.dir);
  const running = createRunningJobs({
    jobs: records.jobs,
    bus,
    clock,
    run: (job, model, fault, progress) =>
      runTransformJob({ objects, logs, clock, faults, startContainer, workDir }, job, model, fault, progress),
  });
  const state: SageMakerState = { site, clock, bus, objects, faults, running, ...records };
  const actions: JsonActions = {
    AddTags: (input) => addTags(state, input),
    CreateModel: (input) => createModel(state, input),
    CreateTransformJob: (input) => createTransformJob(state, input),
    DeleteModel: (input) => deleteModel(state, input),
    DescribeModel: (input) => describeModel(state, input),
    DescribeTransformJob: (input) => describeTransformJob(state, input),
    ListModels: (input) => listModels(state, input),
    ListTags: (input) => listTags(state, input),
    ListTransformJobs: (input) => listTransformJobs(state, input),
    StopTransformJob: (input) => stopTransformJob(state, input),
  };
  return {
    service: jsonService({
      name: 'sagemaker',
      target: 'SageMaker',
      version: '1.1',
      actions,
      close: () => running.close(),
    }),
    resources: {},
    idle: () => running.idle(),
  };
}
