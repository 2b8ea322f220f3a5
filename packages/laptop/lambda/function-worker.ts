import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { createFrameReader, INSTANCE_PIPE, writeFrame } from './instance-frames.ts';
import { takeOverConsole } from './worker-console.ts';
// Only types: an instance that had to load zod would start later.
import type { FunctionFailure, WorkerInvocation, WorkerMessage, WorkerSettings } from './worker-protocol.ts';

/** The inside of one function instance: loads the handler once, then answers one invocation at a time. */

type Handler = (event: unknown, context: unknown) => unknown;

const settings: WorkerSettings = JSON.parse(process.argv[2] ?? '');
let requestId: string | undefined;

const pipe = new Socket({ fd: INSTANCE_PIPE, readable: true, writable: true });
const say = (message: WorkerMessage, bytes?: Uint8Array): void => writeFrame(pipe, message, bytes);

// Without the stack there will be no further invocation.
pipe.on('close', () => process.exit());
pipe.on('error', () => process.exit());
process.on('uncaughtException', (error) => {
  say({ kind: 'crash', failure: toFailure(error) });
  pipe.end(() => process.exit(1));
});

takeOverConsole({
  logFormat: settings.logFormat,
  logLevel: settings.logLevel,
  requestId: () => requestId,
  write: (line) => say({ kind: 'log', line }),
});

/** Lambda's own order of extensions puts `.js` first; our bundles have one of them only. */
async function loadHandler(): Promise<Handler> {
  const file = ['.mjs', '.js', '.cjs']
    .map((extension) => settings.modulePath + extension)
    .find((path) => existsSync(path));
  if (file === undefined)
    throw named('Runtime.ImportModuleError', `Error: Cannot find module '${settings.modulePath}'`);
  enableCompileCache(settings.cacheFolder);
  const module: unknown = await import(pathToFileURL(file).href);
  flushCompileCache();
  const handler =
    memberOf(module, settings.exportName) ?? memberOf(memberOf(module, 'default'), settings.exportName);
  if (!isHandler(handler))
    throw named(
      'Runtime.HandlerNotFound',
      `${settings.modulePath}.${settings.exportName} is undefined or not exported`,
    );
  if (handler.length > 2)
    throw named(
      'Runtime.CallbackHandlerDeprecated',
      'AWS Lambda has removed support for callback-based function handlers starting with Node.js 24.',
    );
  return handler;
}

async function answer(handler: Handler, invocation: WorkerInvocation, payload: Buffer): Promise<void> {
  requestId = invocation.requestId;
  process.env['_X_AMZN_TRACE_ID'] =
    `Root=1-00000000-${invocation.requestId.replaceAll('-', '').slice(0, 24)};Sampled=0`;
  const deadlineMs = performance.now() + invocation.timeoutMs;
  const context = {
    callbackWaitsForEmptyEventLoop: true,
    functionName: settings.functionName,
    functionVersion: settings.functionVersion,
    invokedFunctionArn: settings.invokedFunctionArn,
    memoryLimitInMB: String(settings.memoryMb),
    awsRequestId: invocation.requestId,
    logGroupName: settings.logGroup,
    logStreamName: settings.logStream,
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(deadlineMs - performance.now())),
  };
  try {
    const text = payload.toString('utf8');
    const output = await handler(text === '' ? {} : JSON.parse(text), context);
    say({ kind: 'result', heapMb: heapMb() }, Buffer.from(JSON.stringify(output) ?? 'null'));
  } catch (error) {
    console.error('Invoke Error', error);
    say({ kind: 'failure', failure: toFailure(error), heapMb: heapMb() });
  }
  requestId = undefined;
}

function toFailure(error: unknown): FunctionFailure {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

function named(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isInvocation(value: unknown): value is WorkerInvocation {
  return typeof memberOf(value, 'requestId') === 'string' && typeof memberOf(value, 'timeoutMs') === 'number';
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

function heapMb(): number {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return Math.ceil((used + external) / 1_048_576);
}

try {
  const handler = await loadHandler();
  pipe.on(
    'data',
    createFrameReader(({ head, bytes }) => {
      if (!isInvocation(head)) throw new Error('the message from the pipe is not an invocation');
      void answer(handler, head, bytes);
    }),
  );
  say({ kind: 'ready' });
} catch (error) {
  console.error('Init Error', error);
  say({ kind: 'init-failure', failure: toFailure(error) });
}
