/**
 * Entry of a process that holds one model and runs it for requests as they come. A process and not a thread, because a
 * thread that is ended while onnxruntime runs takes the whole program with it, and so would a crash in native code.
 */
import { flushCompileCache } from 'node:module';
import { BrokenModel, RUNTIME_LINE, type Signature, UnsupportedModel } from '../savedmodel/servable-model.ts';
import { createJointRuns } from './joint-runs.ts';
import { type LoadedModel, loadModel } from './load-model.ts';
import { openModelSession } from './model-session.ts';
import { openOnnxFile } from './onnx-file.ts';
import {
  packResult,
  type ProcessMessage,
  type RunRequest,
  toFailure,
  unpackTensors,
} from './process-messages.ts';
import { remarksOn } from './remarks.ts';

type RunCalls = ReturnType<typeof createJointRuns>;

/** A SavedModel's version directory, or an ONNX file. */
const [, , source = ''] = process.argv;

/** A model that runs. */
interface OpenedModel {
  readonly signatures: readonly Signature[];
  runCalls(signature: string): Promise<RunCalls>;
}

function send(message: ProcessMessage): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error !== null) process.exit();
  });
}

/** Remarks of the container's log on the signature that is opened first. */
const remarks: string[] = [];

/** Sessions are opened on first use: most models have two names for one signature, and callers use one. */
const sessions = new Map<string, Promise<RunCalls>>();

function sessionOf(model: LoadedModel, signature: string): Promise<RunCalls> {
  const known = sessions.get(signature);
  if (known !== undefined) return known;
  const opened = openSignature(model, signature);
  sessions.set(signature, opened);
  return opened;
}

async function openSignature(model: LoadedModel, signature: string): Promise<RunCalls> {
  const converted = model.convert(signature);
  remarks.push(...remarksOn(converted));
  // Reports list what these lines say.
  if (converted.isHalf) remarks.push(`${RUNTIME_LINE}float16 computed in single precision`);
  return createJointRuns(await openModelSession(converted), converted.mixedBy === undefined);
}

/** Reads the model, and converts the signature that nearly every caller wants, so that a bad model is refused at once. */
async function load(): Promise<OpenedModel> {
  try {
    if (source.endsWith('.onnx')) return await openOnnx();
    const model = loadModel(source);
    const names = model.signatures.map(({ name }) => name);
    const runCalls = (signature: string): Promise<RunCalls> => sessionOf(model, signature);
    await runCalls(names.includes('serving_default') ? 'serving_default' : (names[0] ?? ''));
    return { signatures: model.signatures, runCalls };
  } catch (error) {
    if (error instanceof UnsupportedModel || error instanceof BrokenModel) throw error;
    // Whatever else a damaged file provokes, it is the file that is to blame.
    throw new BrokenModel(
      `The model cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Nothing proves that the rows of an ONNX model are independent, so each call runs by itself. */
async function openOnnx(): Promise<OpenedModel> {
  const { signature, session } = await openOnnxFile(source);
  const runCalls = createJointRuns(session, false);
  return { signatures: [signature], runCalls: () => Promise.resolve(runCalls) };
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

load().then(
  (model) => {
    process.on('message', (request: RunRequest) => void run(model, request));
    send({ kind: 'loaded', signatures: model.signatures, remarks });
    // It is killed, so that Node would keep nothing of what it has compiled.
    flushCompileCache();
  },
  (error: unknown) => send({ kind: 'refused', failure: toFailure(error) }),
);
