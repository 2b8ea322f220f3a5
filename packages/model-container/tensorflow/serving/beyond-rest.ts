import type { DType, Signature, TensorSpec } from '@inferdrop/savedmodel/servable-model';
import { servedSignature } from '../served-model.ts';

/** Element types that TensorFlow Serving's `json_tensor.cc` reads from no request, though the model may compute with them. */
const UNREAD: ReadonlySet<DType> = new Set(['float16', 'uint16']);
/** And those that it writes into no answer. */
const UNWRITTEN: ReadonlySet<DType> = new Set(['uint16']);

/** Why TensorFlow Serving's REST API answers no request for a signature, with the remedy; undefined if it may. */
export function beyondRest({ name, inputs, outputs }: Signature): string | undefined {
  const found = (specs: readonly TensorSpec[], types: ReadonlySet<DType>) =>
    specs.find(({ dtype }) => types.has(dtype));
  const [input, output] = [found(inputs, UNREAD), found(outputs, UNWRITTEN)];
  const tensor = input ?? output;
  if (tensor === undefined) return undefined;
  const side = input === undefined ? 'output' : 'input';
  return (
    `signature ${name}: ${side} ${tensor.name} is of ${tensor.dtype}, which TensorFlow Serving's REST API ` +
    `${input === undefined ? 'writes into no answer' : 'reads from no request'}, ` +
    `on AWS either: export the model with ${side}s of float32, or of integers of another size, and cast inside`
  );
}

/** The signature that is tried before requests come: the one that answers them, or the first, for which a script may ask. */
export function triedSignature<S extends Signature>(signatures: readonly S[]): S | undefined {
  return servedSignature(signatures) ?? signatures[0];
}
