import { beyondRest, triedSignature } from '@inferdrop/model-container/internal/beyond-rest';
import { decoderLimits } from '@inferdrop/savedmodel/internal/decoder';
import { type ConvertedSignature, loadModel } from '@inferdrop/savedmodel/internal/load-model';
import { remarksOn } from '@inferdrop/savedmodel/internal/remarks';
import { runOnZeros } from '@inferdrop/savedmodel/internal/run-on-zeros';
import { loadSavedModel } from '@inferdrop/savedmodel/load-saved-model';
import {
  describeRefusal,
  type ServableModel,
  type Signature,
  UnsupportedModel,
} from '@inferdrop/savedmodel/servable-model';

/** Time for a run on zeros: a model's loop may never end on them. */
const ZEROS_MS = 5 * 60_000;

/** A signature, and whether onnxruntime would run it. */
export interface InspectedSignature extends Signature {
  readonly operations: readonly string[];
  /** Operations that the converter does not support; empty if the signature runs without Python. */
  readonly unsupported: readonly string[];
  /** Remedy for the unsupported operations; null if there are none. */
  readonly remedy: string | null;
  /** Limits of onnxruntime that TensorFlow does not have, in sentences. */
  readonly limits: readonly string[];
  /** Rewrites of TensorFlow's optimizer that change answers, and that this engine does as well. */
  readonly rewrites: ConvertedSignature['rewrites'];
  /** Why the signature was not run on zeros; null if it was run, or cannot be converted. */
  readonly untried: string | null;
}

/** One version of a model. */
export interface InspectedModel {
  readonly name: string;
  readonly version: number;
  readonly tensorflowVersion: string;
  readonly signatures: readonly InspectedSignature[];
  /** Why the model cannot be read, or answers no request. */
  readonly damage: string | null;
}

/**
 * Converts one version of a model, and runs each signature once on zeros.
 *
 * @param hasScript whether a script of the archive's own chooses the signature
 */
export async function inspectVersion(
  name: string,
  version: number,
  dir: string,
  hasScript: boolean,
): Promise<InspectedModel> {
  try {
    const model = loadModel(dir);
    const converted = model.signatures.map((signature) => {
      const operations = model.operations(signature.name);
      return { ...signature, operations, ...conversionOf(() => model.convert(signature.name)) };
    });
    const signatures = await tryOnZeros(dir, converted);
    const served = triedSignature(signatures);
    const damage = served === undefined || hasScript ? null : (beyondRest(served) ?? null);
    return { name, version, tensorflowVersion: model.tensorflowVersion, signatures, damage };
  } catch (error) {
    const damage = error instanceof Error ? describeRefusal(error) : String(error);
    return { name, version, tensorflowVersion: '', signatures: [], damage };
  }
}

function conversionOf(
  convert: () => ConvertedSignature,
): Pick<InspectedSignature, 'unsupported' | 'remedy' | 'limits' | 'rewrites'> {
  try {
    const converted = convert();
    const { nodes, loops } = converted.before;
    const bodies = [...loops.values()].flatMap(({ body }) => body);
    return {
      unsupported: [],
      remedy: null,
      limits: [...decoderLimits([...nodes, ...bodies]), ...remarksOn(converted)],
      rewrites: converted.rewrites,
    };
  } catch (error) {
    if (!(error instanceof UnsupportedModel)) throw error;
    return { unsupported: error.ops, remedy: error.remedy, limits: [], rewrites: [] };
  }
}

/** Runs a signature once on zeros before it is said to run. */
async function tryOnZeros(
  dir: string,
  signatures: readonly Omit<InspectedSignature, 'untried'>[],
): Promise<InspectedSignature[]> {
  const convertible = signatures.filter(({ unsupported }) => unsupported.length === 0);
  const refused = ({ ops, remedy }: UnsupportedModel) => ({ unsupported: ops, remedy, untried: null });
  let model: ServableModel;
  try {
    model = await loadSavedModel(dir, { workers: 1 });
  } catch (error) {
    if (!(error instanceof UnsupportedModel)) throw error;
    // If conversion reported nothing, onnxruntime has refused the resulting graph.
    const isCause = convertible.length === signatures.length;
    const untried = `the signature that is loaded first needs ${error.ops.join(', ')}`;
    return signatures.map((signature) => ({
      ...signature,
      ...(isCause ? refused(error) : { untried: signature.unsupported.length === 0 ? untried : null }),
    }));
  }
  try {
    const tried: InspectedSignature[] = [];
    for (const signature of signatures) {
      const found = convertible.includes(signature)
        ? await runOnZeros(model, signature, ZEROS_MS).catch((error: unknown) => {
            if (!(error instanceof UnsupportedModel)) throw error;
            return error;
          })
        : undefined;
      tried.push({
        ...signature,
        ...(found instanceof UnsupportedModel ? refused(found) : { untried: found ?? null }),
      });
    }
    return tried;
  } finally {
    await model.close();
  }
}
