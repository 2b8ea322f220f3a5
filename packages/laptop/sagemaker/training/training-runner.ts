import { metricsAsRole } from '../../cloudwatch/metrics-as-role.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RoleSessions } from '../../kernel/permission.ts';
import type { LogWriter, MetricWriter, ObjectAccess } from '../../kernel/ports.ts';
import type { Site } from '../../kernel/service.ts';
import { keyPermissions } from '../../kms/key-permissions.ts';
import { logsAsRole } from '../../logs/logs-as-role.ts';
import { objectsAsRole } from '../objects-as-role.ts';
import { roleEnvironment } from './role-environment.ts';
import type { TrainingFaults } from './training-faults.ts';
import type { TrainingHosts } from './training-hosts.ts';
import type { TrainingJobRecord } from './training-job-record.ts';

/** Dependencies of every training job. */
export interface TrainingRunner {
  readonly hosts: TrainingHosts;
  /** Objects that the job's role may reach. */
  readonly objects: ObjectAccess;
  readonly logs: LogWriter;
  readonly metrics: MetricWriter;
  readonly clock: Clock;
  readonly faults: TrainingFaults;
  readonly region: string;
  /** Credentials of the job's role, and the address of the stack. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the hosts' folders lie while the job runs. */
  readonly workDir: string;
  /** Why the job's role may not use the key of its outputs; null if it may, and where they have no key. */
  readonly outputKeyRefusal: () => string | null;
}

/** Dependencies of one job, as far as its role may use them; without `roles`, all of them. */
export function toTrainingRunner(
  { input }: TrainingJobRecord,
  parts: Pick<TrainingRunner, 'hosts' | 'objects' | 'logs' | 'metrics' | 'clock' | 'faults' | 'workDir'> & {
    readonly site: Site;
    readonly roles?: RoleSessions | undefined;
  },
): TrainingRunner {
  const { objects, logs, metrics, site, roles } = parts;
  const role = input.RoleArn;
  const runner = { ...parts, region: site.region, environment: roleEnvironment(site, input, roles) };
  if (!roles) return { ...runner, outputKeyRefusal: () => null };
  const keyUse = keyPermissions(site, 's3', input.OutputDataConfig.KmsKeyId, ['GenerateDataKey']);
  return {
    ...runner,
    objects: objectsAsRole(objects, role, site, roles),
    logs: logsAsRole({ logs, site, refusalOf: roles.refusal }, role, 'SageMaker'),
    metrics: metricsAsRole(metrics, roles.refusal, role, 'SageMaker'),
    outputKeyRefusal: () => roles.refusal(role, 'SageMaker', keyUse),
  };
}
