import type { Framework } from '../model/framework.ts';

/** The transform settings that a container must support. */
export interface ContainerWork {
  readonly framework: Framework;
  readonly frameworkVersion: string;
  readonly invocationsTimeoutInSeconds: number;
  readonly maxPayloadInMB: number;
}

/** TorchServe's own limit of a request and of an answer, in bytes. */
const TORCHSERVE_DEFAULT_BYTES = 6_553_500;
const MEBIBYTE = 1024 * 1024;

/**
 * Environment variables that raise the container's own limits to the transform settings: gunicorn ends a request after 30 s,
 * nginx and TorchServe after 60 s, and TorchServe refuses more than 6.5 MB, whatever SageMaker allows. Variables that the
 * pipeline sets are kept.
 */
export function containerLimits(
  work: ContainerWork,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const limits = work.framework === 'tensorflow' ? tensorflowLimits(work) : torchServeLimits(work);
  return Object.fromEntries(Object.entries(limits).filter(([name]) => given[name] === undefined));
}

function tensorflowLimits({
  invocationsTimeoutInSeconds,
  frameworkVersion,
}: ContainerWork): Record<string, string> {
  const seconds = String(invocationsTimeoutInSeconds);
  const [major = 0, minor = 0] = frameworkVersion.split('.').map(Number);
  return {
    SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: seconds,
    SAGEMAKER_NGINX_PROXY_READ_TIMEOUT_SECONDS: seconds,
    // From 2.20 on it also bounds each request to TensorFlow Serving; before, only the duration of start-up.
    ...((major > 2 || (major === 2 && minor >= 20)) && {
      SAGEMAKER_TFS_WAIT_TIME_SECONDS: String(Math.max(60, invocationsTimeoutInSeconds)),
    }),
  };
}

function torchServeLimits({
  invocationsTimeoutInSeconds,
  maxPayloadInMB,
}: ContainerWork): Record<string, string> {
  const bytes = String(Math.max(TORCHSERVE_DEFAULT_BYTES, maxPayloadInMB * MEBIBYTE));
  return {
    SAGEMAKER_MODEL_SERVER_TIMEOUT: String(invocationsTimeoutInSeconds),
    TS_MAX_REQUEST_SIZE: bytes,
    TS_MAX_RESPONSE_SIZE: bytes,
  };
}
