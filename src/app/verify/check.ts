import type { Account } from '../../aws/account.ts';
import type { AlarmStates } from '../../aws/alarm-states.ts';
import type { RouteThrottles } from '../../aws/api-stage.ts';
import type { BilledCosts } from '../../aws/billed-costs.ts';
import type { CallTrail } from '../../aws/call-trail.ts';
import type { Endpoints } from '../../aws/endpoints.ts';
import type { Executions } from '../../aws/executions.ts';
import type { JobLogs } from '../../aws/job-log.ts';
import type { MachineHistory } from '../../aws/machine-history.ts';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { PurgePrefix } from '../../aws/purged-prefix.ts';
import type { RolePermissions } from '../../aws/role-permissions.ts';
import type { RunningJobs } from '../../aws/running-jobs.ts';
import type { SageMaker } from '../../aws/sagemaker.ts';
import type { ServiceQuotas } from '../../aws/service-quotas.ts';
import type { PlainRequest } from '../../aws/sign-request.ts';
import type { StackDescription, StackResource } from '../../aws/stack.ts';
import type { TopicSubscriptions } from '../../aws/topic-subscriptions.ts';
import type { UnknownNames } from '../../aws/unknown-names.ts';
import type { UploadWatch } from '../../aws/upload-watch.ts';
import type { Finding } from '../../verify/finding.ts';

/** The deployment that is verified, and where it is. */
export interface VerifiedStack {
  /** `inferdrop-<stage>`. */
  readonly name: string;
  readonly description: StackDescription;
  readonly resources: readonly StackResource[];
  /** `AWS`, or the address of its replacement. */
  readonly place: string;
  /** False if `AWS_ENDPOINT_URL` replaces AWS. */
  readonly isAws: boolean;
  readonly account: string;
  readonly partition: string;
  readonly region: string;
}

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
  readonly runningJobs: RunningJobs;
  readonly jobLogs: Pick<JobLogs, 'all'>;
  readonly uploads: UploadWatch;
  readonly alarms: AlarmStates;
  readonly purge: PurgePrefix;
  /** A request to the stack's own HTTP API, signed. */
  readonly callApi: (request: PlainRequest) => Promise<Response>;
  readonly clock: () => Date;
  /** Of this verification, as `isProbeName` knows ids. */
  readonly id: string;
  /** Between two looks at something under way. */
  readonly pollMs: number;
  /** Rejects with `VerificationInterrupted` as soon as the verification is to end. */
  readonly wait: (ms: number) => Promise<void>;
}

/** One question to AWS. */
export interface Check {
  /** In kebab-case, as docs/verify.md explains it. */
  readonly name: string;
  /** What is asked, in one sentence. */
  readonly asks: string;
  /** Estimated price in US dollars, in a region; null where the check reads only and costs nothing. */
  readonly usd: number | null | ((region: string) => number);
  run(services: VerifyServices): Promise<Finding>;
}
