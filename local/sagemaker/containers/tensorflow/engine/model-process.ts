/**
 * Entry of a process that holds one model and runs it, one request after the other. A process and not a thread, because a
 * thread that is ended while onnxruntime runs takes the whole program with it, and so would a crash in native code.
 */
import { loadModel, type LoadedModel } from './load-model.ts';
import { openModelSession, type ModelSession } from './model-session.ts';
import { BrokenModel, UnsupportedModel } from './servable-model.ts';
import {
  packTensor,
  toFailure,
  unpackTensor,
  type RunRequest,
  type ProcessMessage,
} from './process-messages.ts';

const [, , versionDir = ''] = process.argv;

function send(message: ProcessMessage): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error !== null) process.exit();
  });
}

/** Sessions are opened on first use: most models have two names for one signature, and callers use one. */
const sessions = new Map<string, Promise<ModelSession>>();

function sessionOf(model: LoadedModel, signature: string): Promise<ModelSession> {
  const known = sessions.get(signature);
  if (known !== undefined) return known;
  const opened = openSignature(model, signature);
  sessions.set(signature, opened);
  return opened;
}

async function openSignature(model: LoadedModel, signature: string): Promise<ModelSession> {
  return openModelSession(model.convert(signature));
}

/** Reads the model, and converts the signature that nearly every caller wants, so that a bad model is refused at once. */
async function load(): Promise<LoadedModel> {
  try {
    const model = loadModel(versionDir);
    const names = model.signatures.map(({ name }) => name);
    await sessionOf(model, names.includes('serving_default') ? 'serving_default' : (names[0] ?? ''));
    return model;
  } catch (error) {
    if (error instanceof UnsupportedModel || error instanceof BrokenModel) throw error;
    // Whatever else a damaged file provokes, it is the file that is to blame.
    throw new BrokenModel(
      `The model cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function run(model: LoadedModel, { id, signature, feeds }: RunRequest): Promise<void> {
  try {
    const session = await sessionOf(model, signature);
    const outputs = await session.run(new Map(feeds.map(([name, packed]) => [name, unpackTensor(packed)])));
    send({ kind: 'result', id, outputs: [...outputs].map(([name, tensor]) => [name, packTensor(tensor)]) });
  } catch (error) {
    send({ kind: 'failed', id, failure: toFailure(error) });
  }
}

// Whoever started this process is gone, however that came about.
process.on('disconnect', () => process.exit());

load().then(
  (model) => {
    process.on('message', (request: RunRequest) => void run(model, request));
    send({ kind: 'loaded', signatures: model.signatures });
  },
  (error: unknown) => send({ kind: 'refused', failure: toFailure(error) }),
);
