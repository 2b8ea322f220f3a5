/** The environment variables of the PyTorch container that this stack honors. */
export interface TorchServeSettings {
  /** How long a worker may take for an answer before it is killed. */
  readonly responseTimeoutSeconds: number;
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
  /** Processes, each with the whole model; undefined leaves it to the number of cores. */
  readonly workers: number | undefined;
}

/** TorchServe's own limit of a request and of an answer. */
const DEFAULT_BYTES = 6_553_500;

const BATCHING = (
  'SAGEMAKER_TS_BATCH_SIZE SAGEMAKER_TS_MAX_BATCH_DELAY SAGEMAKER_TS_MIN_WORKERS SAGEMAKER_TS_MAX_WORKERS ' +
  'SAGEMAKER_TS_RESPONSE_TIMEOUT'
).split(' ');

/**
 * Reads the settings as the toolkit and TorchServe do. One variable of `SAGEMAKER_TS_…` makes the toolkit write all five of them,
 * which then win over the general ones.
 *
 * @throws {Error} for a value that is not a number, and for batches of several requests
 */
export function readTorchServeSettings(environment: Readonly<Record<string, string>>): TorchServeSettings {
  const read = (name: string): number | undefined => {
    const text = environment[name];
    if (text === undefined || text === '') return undefined;
    if (!/^\d+$/.test(text)) throw new Error(`${name} must be a non-negative integer, is '${text}'`);
    return Number(text);
  };
  const batchSize = read('SAGEMAKER_TS_BATCH_SIZE') ?? 1;
  if (batchSize > 1)
    throw new Error(
      `SAGEMAKER_TS_BATCH_SIZE must be 1 on this stack, is ${batchSize}: the container hands over one request at a time`,
    );
  for (const name of ['SAGEMAKER_MODEL_SERVER_WORKERS', 'SAGEMAKER_TS_MAX_WORKERS'])
    if (read(name) === 0) throw new Error(`${name} must be a positive integer, is '0'`);
  const named = BATCHING.some((name) => environment[name] !== undefined);
  return {
    responseTimeoutSeconds:
      (named ? (read('SAGEMAKER_TS_RESPONSE_TIMEOUT') ?? 60) : read('SAGEMAKER_MODEL_SERVER_TIMEOUT')) ?? 60,
    maxRequestBytes: read('TS_MAX_REQUEST_SIZE') ?? DEFAULT_BYTES,
    maxResponseBytes: read('TS_MAX_RESPONSE_SIZE') ?? DEFAULT_BYTES,
    workers: named ? (read('SAGEMAKER_TS_MAX_WORKERS') ?? 1) : read('SAGEMAKER_MODEL_SERVER_WORKERS'),
  };
}
