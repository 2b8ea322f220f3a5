import { RUNTIME_LINE, type Signature } from '../savedmodel/servable-model.ts';
import { mainSignature, readConversion } from './conversion.ts';
import type { RunnableSignature } from './convert-signature.ts';
import { createJointRuns } from './joint-runs.ts';
import { type LoadedModel, loadModel } from './load-model.ts';
import { openModelSession } from './model-session.ts';
import { openOnnxFile } from './onnx-file.ts';
import { isRefusal, refusing } from './refusing.ts';
import { remarksOn } from './remarks.ts';

type RunCalls = ReturnType<typeof createJointRuns>;

/** A model that runs in this process. */
export interface OpenedModel {
  readonly signatures: readonly Signature[];
  /** Remarks of the container's log on the signatures that have been opened. */
  readonly remarks: readonly string[];
  /** Sets who gets the remarks of later. */
  onRemark(log: (line: string) => void): void;
  runCalls(signature: string): Promise<RunCalls>;
}

/**
 * Opens a SavedModel's version directory, or an ONNX file, in this process. The signature that nearly every caller wants is converted at
 * once, so that a bad model is refused here.
 *
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function openModel(source: string): Promise<OpenedModel> {
  return refusing(() => {
    if (source.endsWith('.onnx')) return openOnnx(source);
    const model = loadModel(source);
    return openSignatures(model.signatures, (name) => Promise.resolve(model.convert(name)));
  });
}

/**
 * Opens a conversion in the folder of a version, in this process.
 *
 * @param savedModel gives a folder with the SavedModel itself. Its unconverted signatures are converted on first use
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function openConversion(
  versionDir: string,
  savedModel: () => Promise<string>,
): Promise<OpenedModel> {
  return refusing(() => {
    const { signatures, converted } = readConversion(versionDir);
    let loading: Promise<LoadedModel> | undefined;
    return openSignatures(signatures, async (name) => {
      if (name === converted.signature.name) return converted;
      loading ??= savedModel().then(loadModel);
      // It may not have been had this time.
      loading.catch(() => (loading = undefined));
      return (await loading).convert(name);
    });
  });
}

async function openSignatures(
  signatures: readonly Signature[],
  convert: (signature: string) => Promise<RunnableSignature>,
): Promise<OpenedModel> {
  const remarks: string[] = [];
  let log = (_line: string): void => undefined;
  // Sessions are opened on first use: most models have two names for one signature, and callers use one.
  const sessions = new Map<string, Promise<RunCalls>>();
  const runCalls = (signature: string): Promise<RunCalls> => {
    const known = sessions.get(signature);
    if (known !== undefined) return known;
    const opened = convert(signature).then((converted) =>
      openSignature(converted, remarks, (line) => log(line)),
    );
    sessions.set(signature, opened);
    // A signature that cannot be converted is not tried with each request; what failed otherwise may work the next time.
    opened.catch((error: unknown) => {
      if (!isRefusal(error)) sessions.delete(signature);
    });
    return opened;
  };
  await runCalls(mainSignature(signatures));
  return { signatures, remarks, runCalls, onRemark: (later) => (log = later) };
}

async function openSignature(
  converted: RunnableSignature,
  remarks: string[],
  log: (line: string) => void,
): Promise<RunCalls> {
  remarks.push(...remarksOn(converted));
  // Reports list what these lines say.
  if (converted.isHalf) remarks.push(`${RUNTIME_LINE}float16 computed in single precision`);
  const { signature, mixedBy } = converted;
  return createJointRuns(await openModelSession(converted), {
    mayJoin: mixedBy === undefined,
    onDifference: (rows) =>
      log(`requests of ${signature.name} run one by one: a batch of ${rows} differed in its last bits`),
  });
}

/** Nothing proves that an ONNX model's rows are independent, so each call runs on its own. */
async function openOnnx(file: string): Promise<OpenedModel> {
  const { signature, session } = await openOnnxFile(file);
  const runCalls = createJointRuns(session, { mayJoin: false });
  return {
    signatures: [signature],
    remarks: [],
    onRemark: () => undefined,
    runCalls: () => Promise.resolve(runCalls),
  };
}
