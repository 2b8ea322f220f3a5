/** The environment variables of the TensorFlow container that this stack honours. */
export interface TensorFlowSettings {
  readonly defaultModelName: string | undefined;
  readonly enableBatching: boolean;
  readonly maxBatchSize: number;
  readonly batchTimeoutMicros: number;
  /** How long Python code may run without a break before its worker is killed; 0 is for ever. */
  readonly gunicornTimeoutSeconds: number;
  /** How long nginx waits for an answer before it gives 504. */
  readonly proxyReadTimeoutSeconds: number;
}

/**
 * Reads the settings as the container's start script does.
 *
 * @throws {Error} `SAGEMAKER_TFS_ENABLE_BATCHING must be 'true' or 'false'`, in the container's words
 */
export function readSettings(environment: Readonly<Record<string, string>>): TensorFlowSettings {
  const batching = (environment['SAGEMAKER_TFS_ENABLE_BATCHING'] ?? 'false').toLowerCase();
  if (batching !== 'true' && batching !== 'false') {
    throw new Error("SAGEMAKER_TFS_ENABLE_BATCHING must be 'true' or 'false'");
  }
  const named = environment['SAGEMAKER_TFS_DEFAULT_MODEL_NAME'];
  const gunicornTimeoutSeconds = readInteger(environment, 'SAGEMAKER_GUNICORN_TIMEOUT_SECONDS', 30);
  const readTimeout = readInteger(environment, 'SAGEMAKER_NGINX_PROXY_READ_TIMEOUT_SECONDS', 60);
  return {
    defaultModelName: named === 'None' ? undefined : named,
    enableBatching: batching === 'true',
    maxBatchSize: readInteger(environment, 'SAGEMAKER_TFS_MAX_BATCH_SIZE', 8),
    batchTimeoutMicros: readInteger(environment, 'SAGEMAKER_TFS_BATCH_TIMEOUT_MICROS', 1000),
    gunicornTimeoutSeconds,
    // The start script raises nginx's limit to gunicorn's.
    proxyReadTimeoutSeconds: Math.max(readTimeout, gunicornTimeoutSeconds),
  };
}

function readInteger(environment: Readonly<Record<string, string>>, name: string, fallback: number): number {
  const text = environment[name];
  if (text === undefined) return fallback;
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a non-negative integer, is '${text}'`);
  return Number(text);
}
