/**
 * Entry of a process that holds one model and runs it for requests as they come. A process and not a thread, because a
 * thread that is ended while onnxruntime runs takes the whole program with it, and so would a crash in native code.
 */
import { createCpuMeter } from './cpu-meter.ts';
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

const measure = createCpuMeter();

async function run(model: OpenedModel, { id, signature, calls }: RunRequest): Promise<void> {
  const measured = measure();
  const results = await model
    .runCalls(signature)
    .then((runCalls) => runCalls(calls.map(unpackTensors)))
    .catch((reason: unknown) => calls.map(() => ({ status: 'rejected', reason }) as const));
  send({ kind: 'results', id, results: results.map(packResult), cpuMs: measured() });
}

// The parent process is gone, for whatever reason.
process.on('disconnect', () => process.exit());

openModel(source).then(
  (model) => {
    process.on('message', (request: RunRequest) => void run(model, request));
    model.onRemark((line) => send({ kind: 'remark', line }));
    send({ kind: 'loaded', signatures: model.signatures, remarks: model.remarks });
  },
  (error: unknown) => send({ kind: 'refused', failure: toFailure(error) }),
);
