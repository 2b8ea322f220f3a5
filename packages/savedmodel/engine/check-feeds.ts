import { InvalidFeeds, type Signature, type Tensor, type TensorSpec } from '../savedmodel/servable-model.ts';

/**
 * Compares a request's tensors with the signature's inputs.
 *
 * @throws {InvalidFeeds} if there is no such signature, or naming the first input that is missing, unknown, or of another type or shape
 */
export function checkFeeds(
  signatures: readonly Signature[],
  name: string,
  feeds: ReadonlyMap<string, Tensor>,
): void {
  const signature = signatures.find((known) => known.name === name);
  if (signature === undefined)
    throw new InvalidFeeds(`Serving signature name: "${name}" not found in signature def`);
  for (const spec of signature.inputs) {
    const feed = feeds.get(spec.name);
    if (feed === undefined) throw new InvalidFeeds(`Input ${spec.name} is missing`);
    if (feed.dtype !== spec.dtype)
      throw new InvalidFeeds(`Input ${spec.name} must be ${spec.dtype}, is ${feed.dtype}`);
    const size = feed.shape.reduce((product, dimension) => product * dimension, 1);
    if (size !== feed.data.length)
      throw new InvalidFeeds(
        `Input ${spec.name}: ${feed.data.length} elements are not [${feed.shape.join(', ')}]`,
      );
    if (!fits(spec, feed.shape))
      throw new InvalidFeeds(
        `Input ${spec.name} must have shape [${spec.shape?.join(', ')}], has [${feed.shape.join(', ')}]`,
      );
  }
  for (const name of feeds.keys()) {
    if (!signature.inputs.some((spec) => spec.name === name)) {
      const known = signature.inputs.map((spec) => spec.name).join(', ');
      throw new InvalidFeeds(`Signature ${signature.name} has no input ${name}, only ${known}`);
    }
  }
}

function fits({ shape }: TensorSpec, given: readonly number[]): boolean {
  if (shape === null) return true;
  return shape.length === given.length && shape.every((size, axis) => size < 0 || size === given[axis]);
}
