/**
 * Entry of a process that holds one model and runs it for requests as they come. A process and not a thread, because a
 * thread that is ended while onnxruntime runs takes the whole program with it, and so would a crash in native code.
 */
import { flushCompileCache } from 'node:module';
import { type OpenedModel, openModel } from './open-model.ts';
import {
  packResult,
  type ProcessMessage,
  type RunRequest,
  toFailure,
  unpackTensors,
} from './process-messages.ts';

/** A SavedModel's version directory, or an ONNX file. */
const [, , source = ''] = process.argv;

function send(message: ProcessMessage): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error !== null) process.exit();
  });
}

/** Asking for the processor time costs as much as a small model's layer, so it is asked for now and then. */
const MEASURED_EVERY = 16;
let measures = 0;

async function run(model: OpenedModel, { id, signature, calls }: RunRequest): Promise<void> {
  const before = measures++ % MEASURED_EVERY < 2 ? process.cpuUsage() : undefined;
  const results = await model
    .runCalls(signature)
    .then((runCalls) => runCalls(calls.map(unpackTensors)))
    .catch((reason: unknown) => calls.map(() => ({ status: 'rejected', reason }) as const));
  const cpuMs = before === undefined ? undefined : toMs(process.cpuUsage(before));
  send({ kind: 'results', id, results: results.map(packResult), cpuMs });
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

// The parent process is gone, for whatever reason.
process.on('disconnect', () => process.exit());

openModel(source).then(
  (model) => {
    process.on('message', (request: RunRequest) => void run(model, request));
    send({ kind: 'loaded', signatures: model.signatures, remarks: model.remarks });
    // It is killed, so that Node would keep nothing of what it has compiled.
    flushCompileCache();
  },
  (error: unknown) => send({ kind: 'refused', failure: toFailure(error) }),
);
