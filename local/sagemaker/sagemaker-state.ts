import { join } from 'node:path';
import type { Clock } from '../gateway/clock.ts';
import type { EventBus, ObjectAccess } from '../gateway/ports.ts';
import type { Site } from '../gateway/service.ts';
import type { Documents } from '../storage/document-file.ts';
import { openDocuments } from '../storage/document-file.ts';
import { ModelRecord } from './model-record.ts';
import type { TransformFaults } from './transform-faults.ts';
import { TransformJobRecord } from './transform-job-record.ts';
import type { RunningJobs } from './transform/running-jobs.ts';

/** What the actions share. */
export interface SageMakerState {
  readonly site: Site;
  readonly clock: Clock;
  readonly objects: ObjectAccess;
  readonly bus: EventBus;
  readonly faults: TransformFaults;
  readonly models: Documents<ModelRecord>;
  readonly jobs: Documents<TransformJobRecord>;
  readonly running: RunningJobs;
}

/** Opens what is kept on disk in the service's folder. */
export function openRecords(dir: string): Pick<SageMakerState, 'models' | 'jobs'> {
  return {
    models: openDocuments(join(dir, 'models.json'), ModelRecord),
    jobs: openDocuments(join(dir, 'transform-jobs.json'), TransformJobRecord),
  };
}
