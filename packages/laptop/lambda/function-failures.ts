import type { ProcessEnd } from './worker-process.ts';
import type { FunctionFailure } from './worker-protocol.ts';

/** Limit of a response, in bytes, by Lambda's quotas. */
export const MAX_RESPONSE_BYTES = 6_291_556;

/** The answer instead of a response that is too large. */
export function responseTooLarge(sizeBytes: number): FunctionFailure {
  return {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size (${sizeBytes} bytes) exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`,
  };
}

/** The answer where the function has not answered in time. */
export function timedOut(requestId: string, timeoutMs: number): FunctionFailure {
  const seconds = (timeoutMs / 1000).toFixed(2);
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`,
  };
}

/** The answer where the process has ended before it answered. */
export function exited(requestId: string, { code, signal }: ProcessEnd): FunctionFailure {
  // V8 aborts when the heap has reached its limit.
  if (signal === 'SIGABRT')
    return {
      errorType: 'Runtime.OutOfMemory',
      errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: signal: killed`,
    };
  const how =
    code === 0
      ? 'Runtime exited without providing a reason'
      : `Runtime exited with error: ${signal === null ? `exit status ${code}` : `signal: ${signal === 'SIGKILL' ? 'killed' : signal}`}`;
  return { errorType: 'Runtime.ExitError', errorMessage: `RequestId: ${requestId} Error: ${how}` };
}
