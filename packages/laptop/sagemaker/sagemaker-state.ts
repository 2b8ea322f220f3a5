import { join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import type { RoleSessions, ServiceAccess } from '../kernel/permission.ts';
import type { AlarmStates, EventBus, ObjectAccess } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import type { AccountLimits } from '../service-quotas/account-limits.ts';
import { openDocuments } from '../storage/document-file.ts';
import { ComponentRecord } from './component/component-record.ts';
import type { Components } from './component/components.ts';
import { EndpointConfigRecord } from './endpoint/endpoint-config-record.ts';
import { EndpointRecord } from './endpoint/endpoint-record.ts';
import type { Hosting } from './endpoint/hosting.ts';
import type { TrainingFaults, TransformFaults } from './faults.ts';
import { ModelRecord } from './model-record.ts';
import type { RunningTrainings } from './training/running-trainings.ts';
import type { TrainingHosts } from './training/training-hosts.ts';
import { TrainingJobRecord } from './training/training-job-record.ts';
import type { RunningJobs } from './transform/running-jobs.ts';
import { TransformJobRecord } from './transform-job-record.ts';

/** State that the actions share. */
export interface SageMakerState extends ReturnType<typeof openRecords> {
  readonly site: Site;
  readonly clock: Clock;
  readonly objects: ObjectAccess;
  readonly bus: EventBus;
  readonly faults: TransformFaults & TrainingFaults;
  readonly running: RunningJobs;
  readonly trainingHosts: TrainingHosts;
  readonly runningTrainings: RunningTrainings;
  readonly hosting: Hosting;
  readonly components: Components;
  readonly alarms: AlarmStates;
  /** Training jobs also run if this machine's framework has another major version than their image. */
  readonly anyFrameworkVersion: boolean;
  /** Which roles trust SageMaker. */
  readonly access: ServiceAccess;
  /** Without them every role may grant every key. */
  readonly roles: RoleSessions | undefined;
  /** Why this stack cannot run a model that AWS could; undefined if it can. */
  readonly refusalOf: (model: ModelRecord) => Promise<string | undefined>;
  readonly limits: AccountLimits;
  /** Accelerators of Elastic Inference are accepted, as AWS did until April 2024. */
  readonly legacyElasticInference: boolean;
}

/** Opens what is kept on disk in the service's folder. */
export function openRecords(dir: string) {
  return {
    models: openDocuments(join(dir, 'models.json'), ModelRecord),
    jobs: openDocuments(join(dir, 'transform-jobs.json'), TransformJobRecord),
    trainingJobs: openDocuments(join(dir, 'training-jobs.json'), TrainingJobRecord),
    endpointConfigs: openDocuments(join(dir, 'endpoint-configs.json'), EndpointConfigRecord),
    endpoints: openDocuments(join(dir, 'endpoints.json'), EndpointRecord),
    inferenceComponents: openDocuments(join(dir, 'inference-components.json'), ComponentRecord),
  };
}
