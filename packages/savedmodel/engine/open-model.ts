import { BrokenModel, RUNTIME_LINE, type Signature, UnsupportedModel } from '../savedmodel/servable-model.ts';
import { createJointRuns } from './joint-runs.ts';
import { type LoadedModel, loadModel } from './load-model.ts';
import { openModelSession } from './model-session.ts';
import { openOnnxFile } from './onnx-file.ts';
import { remarksOn } from './remarks.ts';

type RunCalls = ReturnType<typeof createJointRuns>;

/** A model that runs in this process. */
export interface OpenedModel {
  readonly signatures: readonly Signature[];
  /** Remarks of the container's log on the signatures that have been opened. */
  readonly remarks: readonly string[];
  runCalls(signature: string): Promise<RunCalls>;
}

/**
 * Opens a SavedModel's version directory, or an ONNX file, in this process. The signature that nearly every caller wants is converted at
 * once, so that a bad model is refused here.
 *
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function openModel(source: string): Promise<OpenedModel> {
  try {
    return source.endsWith('.onnx') ? await openOnnx(source) : await openSavedModel(source);
  } catch (error) {
    if (error instanceof UnsupportedModel || error instanceof BrokenModel) throw error;
    // Whatever else a damaged file provokes, it is the file that is to blame.
    throw new BrokenModel(
      `The model cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function openSavedModel(versionDir: string): Promise<OpenedModel> {
  const model = loadModel(versionDir);
  const remarks: string[] = [];
  // Sessions are opened on first use: most models have two names for one signature, and callers use one.
  const sessions = new Map<string, Promise<RunCalls>>();
  const runCalls = (signature: string): Promise<RunCalls> => {
    const known = sessions.get(signature);
    if (known !== undefined) return known;
    const opened = openSignature(model, signature, remarks);
    sessions.set(signature, opened);
    return opened;
  };
  const names = model.signatures.map(({ name }) => name);
  await runCalls(names.includes('serving_default') ? 'serving_default' : (names[0] ?? ''));
  return { signatures: model.signatures, remarks, runCalls };
}

async function openSignature(model: LoadedModel, signature: string, remarks: string[]): Promise<RunCalls> {
  const converted = model.convert(signature);
  remarks.push(...remarksOn(converted));
  // Reports list what these lines say.
  if (converted.isHalf) remarks.push(`${RUNTIME_LINE}float16 computed in single precision`);
  return createJointRuns(await openModelSession(converted), converted.mixedBy === undefined);
}

/** Nothing proves that the rows of an ONNX model are independent, so each call runs by itself. */
async function openOnnx(file: string): Promise<OpenedModel> {
  const { signature, session } = await openOnnxFile(file);
  const runCalls = createJointRuns(session, false);
  return { signatures: [signature], remarks: [], runCalls: () => Promise.resolve(runCalls) };
}
