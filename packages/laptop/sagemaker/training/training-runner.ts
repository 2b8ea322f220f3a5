import type { Clock } from '../../kernel/clock.ts';
import type { RoleSessions } from '../../kernel/permission.ts';
import type { LogWriter, MetricWriter, ObjectAccess } from '../../kernel/ports.ts';
import type { Site } from '../../kernel/service.ts';
import { keyPermissions } from '../../kms/key-permissions.ts';
import { logsAsRole } from '../../logs/logs-as-role.ts';
import type { TrainingFaults } from '../faults.ts';
import { objectsAsRole } from '../objects-as-role.ts';
import type { TrainingHosts } from './training-hosts.ts';
import type { CreateTrainingJobInput, TrainingJobRecord } from './training-job-record.ts';

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

/**
 * Variables that let the AWS SDKs in a script act as the job's role in this stack. With network isolation a script reaches no service.
 *
 * @param roles without them, as in tests of only this service, a script has no credentials
 */
function roleEnvironment(
  site: Site,
  { RoleArn, EnableNetworkIsolation }: Pick<CreateTrainingJobInput, 'RoleArn' | 'EnableNetworkIsolation'>,
  roles: RoleSessions | undefined,
): Readonly<Record<string, string>> {
  if (roles === undefined || EnableNetworkIsolation === true) return {};
  const { accessKeyId, secretAccessKey } = roles.credentialsOf(RoleArn, 'SageMaker');
  return {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_DEFAULT_REGION: site.region,
    AWS_ENDPOINT_URL: site.endpoint(),
  };
}

/** Metrics that are written with the rights of a role: without them nothing is written and nothing fails. */
function metricsAsRole(
  metrics: MetricWriter,
  refusalOf: RoleSessions['refusal'],
  role: string,
  sessionName: string,
): MetricWriter {
  return {
    put(namespace, dimensions, values) {
      const asked = {
        action: 'cloudwatch:PutMetricData',
        resource: '*',
        context: { 'cloudwatch:namespace': namespace },
      };
      if (refusalOf(role, sessionName, [asked]) === null) metrics.put(namespace, dimensions, values);
    },
  };
}
