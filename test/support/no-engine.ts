import type { Engine, PrepareForEngine } from '../../src/app/engine/engine.ts';
import type { EngineLogs } from '../../src/app/engine/engine-logs.ts';

function unasked(): never {
  throw new Error('this engine is not asked');
}

/** Stands where a test has one engine, and asks no other. */
export const noEngine: Engine = {
  start: unasked,
  look: unasked,
  fallback: unasked,
  isRunning: unasked,
  stop: unasked,
};

/** Stands where a test gets no model ready. */
export const notPrepared: PrepareForEngine = unasked;

export const noLogs: EngineLogs = { all: unasked, failures: unasked, runtimes: unasked };
