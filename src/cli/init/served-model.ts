import { servedSignature } from '@inferdrop/model-container/internal/served-model';
import { DECODERS } from '@inferdrop/savedmodel/internal/decoder';
import { loadModel } from '@inferdrop/savedmodel/internal/load-model';
import { type Signature, UnsupportedModel } from '@inferdrop/savedmodel/servable-model';
import { withoutDefault } from '../../frameworks/tensorflow/archive.ts';
import { type Requests, requestsOf, type Scores, scoresOf } from '../../init/signature-facts.ts';
import { readFailure } from '../files/file-problem.ts';
import { Refusal } from '../refusal.ts';

/** A SavedModel that answers requests. */
export interface ServedModel {
  /** Folder with saved_model.pb. */
  readonly folder: string;
  readonly tensorflowVersion: string;
  readonly signature: Signature;
  readonly requests: Requests;
  readonly scores: readonly Scores[];
}

/**
 * Reads what the signature takes and gives that the container answers with.
 *
 * @throws {Refusal} if it cannot be read, or has no such signature
 */
export function readServedModel(folder: string, given: string): ServedModel {
  let model: ReturnType<typeof loadModel>;
  try {
    model = loadModel(folder);
  } catch (error) {
    throw new Refusal(`${given} cannot be read: ${readFailure(error)}`);
  }
  const signature = servedSignature(model.signatures);
  if (signature === undefined) throw new Refusal(`${given} is ${withoutDefault(model.signatures)}`);
  return {
    folder,
    tensorflowVersion: model.tensorflowVersion,
    signature,
    requests: requestsOf(signature.inputs, decodesImages(model, signature.name)),
    scores: scoresOf(signature.outputs),
  };
}

/** Whether a signature decodes images, before its network or for each input in a loop. */
function decodesImages(model: ReturnType<typeof loadModel>, signature: string): boolean {
  try {
    const { nodes, loops } = model.convert(signature).before;
    const bodies = [...loops.values()].flatMap(({ body }) => body);
    return [...nodes, ...bodies].some(({ op }) => DECODERS.has(op));
  } catch (error) {
    if (!(error instanceof UnsupportedModel)) throw error;
    return model.operations(signature).some((operation) => DECODERS.has(operation));
  }
}
