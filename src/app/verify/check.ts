import type { Account } from '../../aws/account/account.ts';
import type { AlarmStates } from '../../aws/account/alarm-states.ts';
import type { RouteThrottles } from '../../aws/account/api-stage.ts';
import type { BilledCosts } from '../../aws/account/billed-costs.ts';
import type { CallTrail } from '../../aws/account/call-trail.ts';
import type { PutToSleep } from '../../aws/account/put-to-sleep.ts';
import type { RolePermissions } from '../../aws/account/role-permissions.ts';
import type { RollbackAlarms } from '../../aws/account/rollback-alarms.ts';
import type { ServiceQuotas } from '../../aws/account/service-quotas.ts';
import type { UnknownNames } from '../../aws/account/unknown-names.ts';
import type { UploadWatch } from '../../aws/account/upload-watch.ts';
import type { PlainRequest } from '../../aws/calls/sign-request.ts';
import type { JobLogs } from '../../aws/logs/job-log.ts';
import type { TopicSubscriptions } from '../../aws/messages/topic-subscriptions.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { PurgePrefix } from '../../aws/s3/purged-prefix.ts';
import type { InferenceComponents } from '../../aws/sagemaker/components.ts';
import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { RunningJobs } from '../../aws/sagemaker/running-jobs.ts';
import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import type { Executions } from '../../aws/states/executions.ts';
import type { MachineHistory } from '../../aws/states/machine-history.ts';
import type { Finding } from './finding.ts';
import type { VerifiedStack } from './verified-stack.ts';

/** The services that checks call; each takes the part that it needs. */
export interface VerifyServices {
  readonly stack: VerifiedStack;
  readonly store: ObjectStore;
  readonly account: Account;
  readonly quotas: ServiceQuotas;
  readonly defaultQuotas: ServiceQuotas;
  readonly roles: RolePermissions;
  readonly trail: CallTrail;
  readonly throttles: RouteThrottles;
  readonly subscriptions: TopicSubscriptions;
  readonly unknownNames: UnknownNames;
  readonly machines: MachineHistory;
  readonly billed: BilledCosts;
  readonly executions: Executions;
  readonly endpointChanges: Executions;
  readonly sagemaker: SageMaker;
  readonly endpoints: Endpoints;
  readonly components: Pick<InferenceComponents, 'createHostConfig'>;
  readonly putToSleep: PutToSleep;
  readonly runningJobs: RunningJobs;
  readonly jobLogs: Pick<JobLogs, 'all'>;
  readonly uploads: UploadWatch;
  readonly alarms: AlarmStates;
  readonly rollbackAlarms: Pick<RollbackAlarms, 'ring'>;
  readonly purge: PurgePrefix;
  /** A request to the stack's own HTTP API, signed. */
  readonly callApi: (request: PlainRequest) => Promise<Response>;
  readonly clock: () => Date;
  /** Id of this verification, in the form that `isProbeName` accepts. */
  readonly id: string;
  /** Time between two looks at something under way. */
  readonly pollMs: number;
  /** Rejects with `VerificationInterrupted` as soon as the verification is to end. */
  readonly wait: (ms: number) => Promise<void>;
}

/** One question to AWS. */
export interface Check {
  /** Name in kebab-case, under which docs/verify.md explains the check. */
  readonly name: string;
  /** The question, in one sentence. */
  readonly asks: string;
  /** Estimated price in US dollars, in a region; null if the check reads only and costs nothing. */
  readonly usd: number | null | ((region: string) => number);
  run(services: VerifyServices): Promise<Finding>;
}
