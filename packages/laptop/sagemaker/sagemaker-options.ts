import { join } from 'node:path';
import type { StartContainer } from '@inferdrop/model-container/container';
import { type ContainerHostOptions, createContainerHost } from '@inferdrop/model-container/container-host';
import type { CheckModel } from '@inferdrop/model-container/internal/check-model';
import { everyServiceAllowed, type RoleSessions, type ServiceAccess } from '../kernel/permission.ts';
import type { AlarmStates, EventBus, LogWriter, MetricWriter, ObjectAccess } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { AccountLimits } from '../service-quotas/account-limits.ts';
import { toServedImage } from './endpoint/legacy-accelerator.ts';
import type { TrainingFaults, TransformFaults } from './faults.ts';
import type { ModelRecord } from './model-record.ts';
import { refusedModels } from './model-refusals.ts';
import { objectsAsRole } from './objects-as-role.ts';
import {
  processHosts,
  type TrainingHosts,
  type TrainingMode,
  type TrainingPythons,
} from './training/training-hosts.ts';

/** Parts of the service; those left out have a default. */
export interface SageMakerOptions extends ServiceBase {
  readonly bus: EventBus;
  readonly objects: ObjectAccess;
  readonly logs: LogWriter;
  /** Metrics of training jobs. */
  readonly metrics: MetricWriter;
  readonly faults?: TransformFaults & TrainingFaults;
  /** Containers in processes of their own by default. */
  readonly startContainer?: StartContainer;
  /** Engine of those containers, and the Python of their scripts. */
  readonly containers?: ContainerHostOptions;
  /** How hosts of training jobs are made; `portable` by default. */
  readonly trainingMode?: TrainingMode;
  /** Interpreters of training jobs instead of the installed ones. */
  readonly trainingPythons?: TrainingPythons;
  /** Training jobs also run if this machine's framework has another major version than their image. */
  readonly anyFrameworkVersion?: boolean;
  /** Hosts of training jobs; processes of this machine by default. */
  readonly trainingHosts?: TrainingHosts;
  /** Finds models that the containers cannot run when they are created; without it their jobs fail. */
  readonly checkModel?: CheckModel;
  /** Whom containers act as; without it they may do everything. */
  readonly roles?: RoleSessions;
  /** Which roles trust SageMaker; by default all. */
  readonly access?: ServiceAccess;
  /** Alarms for rollbacks of updates; by default the account has no alarms. */
  readonly alarms?: AlarmStates;
  /** Limits of the account; the laptop's own by default. */
  readonly limits?: AccountLimits;
  /** Accepts accelerators of Elastic Inference, which AWS refuses since April 2024. */
  readonly legacyElasticInference?: boolean;
  /** How long a serverless variant stays warm without requests; five minutes by default. */
  readonly serverlessIdleMs?: number;
  /** An update of an endpoint keeps its old fleet for at most this long; by default for as long as it asks. */
  readonly longestUpdateWaitSeconds?: number;
  readonly random?: () => number;
}

const SERVERLESS_IDLE_MS = 5 * 60_000;

/** The options with their defaults, and what follows from them. */
export function withDefaults(options: SageMakerOptions) {
  const { dir, site, objects, roles, checkModel: check, trainingPythons: pythons } = options;
  const workDir = join(dir, 'work');
  const environmentsDir = join(dir, 'python-environments');
  const objectsOf = ({ input }: ModelRecord): ObjectAccess =>
    roles ? objectsAsRole(objects, input.ExecutionRoleArn, site, roles) : objects;
  const imageThatRuns = options.legacyElasticInference && { imageThatRuns: toServedImage };
  const mode = options.trainingMode ?? 'portable';
  return {
    ...options,
    roles,
    workDir,
    objectsOf,
    refusalOf: check
      ? refusedModels({ objectsOf, check, workDir, ...imageThatRuns })
      : () => Promise.resolve(undefined),
    faults: options.faults ?? {},
    startContainer: options.startContainer ?? createContainerHost({ environmentsDir, ...options.containers }),
    trainingHosts:
      options.trainingHosts ?? processHosts({ mode, environmentsDir, ...(pythons && { pythons }) }),
    anyFrameworkVersion: options.anyFrameworkVersion ?? false,
    access: options.access ?? everyServiceAllowed,
    alarms: options.alarms ?? { stateOf: () => undefined },
    limits: options.limits ?? AccountLimits.parse({}),
    legacyElasticInference: options.legacyElasticInference ?? false,
    serverlessIdleMs: options.serverlessIdleMs ?? SERVERLESS_IDLE_MS,
    longestUpdateWaitMs: 1000 * (options.longestUpdateWaitSeconds ?? Infinity),
    random: options.random ?? Math.random,
  };
}
