import { ArchiveRefused } from '../archive-refused.ts';

/** The environment variables of the TensorFlow container that this stack honors. */
export interface TensorFlowSettings {
  readonly enableBatching: boolean;
  readonly maxBatchSize: number;
  readonly batchTimeoutMicros: number;
  /** Copies of the script, each with memory of its own. */
  readonly gunicornWorkers: number;
  /** How long Python code may run without a break before its worker is killed; 0 is for ever. */
  readonly gunicornTimeoutSeconds: number;
  /** How long nginx waits for an answer before it gives 504. */
  readonly proxyReadTimeoutSeconds: number;
  /** Settings of the user for which this stack has no use, or not a full one: a sentence each. */
  readonly remarks: readonly string[];
}

/** Each worker is an interpreter with tens of megabytes. */
const MAX_GUNICORN_WORKERS = 8;

/** Sizes of machines and pools, and how loud their servers are: none of them changes an answer. */
const WITHOUT_EFFECT = (
  'SAGEMAKER_BIND_TO_PORT SAGEMAKER_GUNICORN_LOGLEVEL SAGEMAKER_GUNICORN_THREADS SAGEMAKER_GUNICORN_WORKER_CLASS ' +
  'SAGEMAKER_SAFE_PORT_RANGE SAGEMAKER_TFS_FRACTIONAL_GPU_MEM_MARGIN SAGEMAKER_TFS_INSTANCE_COUNT ' +
  'SAGEMAKER_TFS_INTER_OP_PARALLELISM SAGEMAKER_TFS_INTRA_OP_PARALLELISM SAGEMAKER_TFS_MAX_ENQUEUED_BATCHES ' +
  'SAGEMAKER_TFS_NGINX_LOGLEVEL SAGEMAKER_TFS_NUM_BATCH_THREADS SAGEMAKER_TFS_WAIT_TIME_SECONDS'
).split(' ');

/**
 * Reads the settings as the container's start script does.
 *
 * @throws {Error} `SAGEMAKER_TFS_ENABLE_BATCHING must be 'true' or 'false'`, in the container's words
 */
export function readSettings(environment: Readonly<Record<string, string>>): TensorFlowSettings {
  const batching = (environment['SAGEMAKER_TFS_ENABLE_BATCHING'] ?? 'false').toLowerCase();
  if (batching !== 'true' && batching !== 'false')
    throw new ArchiveRefused("SAGEMAKER_TFS_ENABLE_BATCHING must be 'true' or 'false'");
  const gunicornTimeoutSeconds = readInteger(environment, 'SAGEMAKER_GUNICORN_TIMEOUT_SECONDS', 30);
  const readTimeout = readInteger(environment, 'SAGEMAKER_NGINX_PROXY_READ_TIMEOUT_SECONDS', 60);
  const workers = readInteger(environment, 'SAGEMAKER_GUNICORN_WORKERS', 1);
  if (workers === 0)
    throw new ArchiveRefused("SAGEMAKER_GUNICORN_WORKERS must be a positive integer, is '0'");
  return {
    enableBatching: batching === 'true',
    maxBatchSize: readInteger(environment, 'SAGEMAKER_TFS_MAX_BATCH_SIZE', 8),
    batchTimeoutMicros: readInteger(environment, 'SAGEMAKER_TFS_BATCH_TIMEOUT_MICROS', 1000),
    gunicornWorkers: Math.min(workers, MAX_GUNICORN_WORKERS),
    gunicornTimeoutSeconds,
    // The start script raises nginx's limit to gunicorn's.
    proxyReadTimeoutSeconds: Math.max(readTimeout, gunicornTimeoutSeconds),
    remarks: [
      ...(workers > MAX_GUNICORN_WORKERS
        ? [`SAGEMAKER_GUNICORN_WORKERS is ${workers}: this stack starts ${MAX_GUNICORN_WORKERS}`]
        : []),
      ...WITHOUT_EFFECT.filter((name) => environment[name] !== undefined).map(
        (name) => `${name} has no effect on this stack`,
      ),
    ],
  };
}

function readInteger(environment: Readonly<Record<string, string>>, name: string, fallback: number): number {
  const text = environment[name];
  if (text === undefined) return fallback;
  if (!/^\d+$/.test(text)) throw new ArchiveRefused(`${name} must be a non-negative integer, is '${text}'`);
  return Number(text);
}
