import type { MiddlewareObj } from '@middy/core';
import { logAbout, logger } from './logger.ts';
import { subjectOf } from './subject.ts';

/** Middleware that logs the end of each invocation: its subject, its duration, and the name and message of its error. */
export function logged(): MiddlewareObj {
  let startedAt = 0;
  return {
    before: ({ event }) => {
      startedAt = performance.now();
      logAbout(subjectOf(event));
    },
    after: () => logger.info('INVOCATION_SUCCEEDED', { durationMs: elapsed(startedAt) }),
    onError: ({ error }) =>
      logger.error('INVOCATION_FAILED', {
        durationMs: elapsed(startedAt),
        errorName: error?.name,
        errorMessage: error?.message,
        stack: error?.stack,
      }),
  };
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
