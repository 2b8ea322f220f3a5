import * as z from 'zod';
import { bytesOfTensor, tensorOfBytes } from '@inferdrop/savedmodel/internal/dense-tensor';
import { DENSE_TYPES, elementSizeBytes, isDenseType } from '@inferdrop/savedmodel/internal/element-type';
import {
  type Signature,
  type Tensor,
  type TensorSpec,
  UnsupportedModel,
} from '@inferdrop/savedmodel/servable-model';

const Described = z.discriminatedUnion('dtype', [
  z.object({ name: z.string(), dtype: z.enum(DENSE_TYPES), shape: z.array(z.int()) }),
  z.object({
    name: z.string(),
    dtype: z.literal('string'),
    shape: z.array(z.int()),
    lengths: z.array(z.int()),
  }),
]);
type Described = z.infer<typeof Described>;

const Spec = z.object({ name: z.string(), dtype: z.string(), shape: z.array(z.int()).nullable() });
const SignatureSpecs = z.object({
  name: z.string(),
  methodName: z.string(),
  inputs: z.array(Spec),
  outputs: z.array(Spec),
});

/** Messages of the process that runs TensorFlow. */
export const TensorFlowMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('loaded'), signatures: z.array(SignatureSpecs) }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
  z.object({ kind: z.literal('result'), id: z.int(), outputs: z.array(Described) }),
  z.object({ kind: z.literal('failed'), id: z.int(), invalid: z.boolean(), message: z.string() }),
]);

/** Descriptions of tensors, and their bytes end to end. */
export function describeTensors(tensors: ReadonlyMap<string, Tensor>): {
  readonly described: readonly Described[];
  readonly parts: readonly Uint8Array[];
} {
  const described: Described[] = [];
  const parts: Uint8Array[] = [];
  for (const [name, tensor] of tensors) {
    const shape = [...tensor.shape];
    if (tensor.dtype === 'string') {
      described.push({ name, dtype: 'string', shape, lengths: tensor.data.map(({ length }) => length) });
      parts.push(...tensor.data);
    } else {
      described.push({ name, dtype: tensor.dtype, shape });
      parts.push(bytesOfTensor(tensor));
    }
  }
  return { described, parts };
}

/** The tensors of a result. */
export function readTensors(described: readonly Described[], body: Uint8Array): Map<string, Tensor> {
  let position = 0;
  const take = (length: number): Uint8Array => {
    const part = body.slice(position, position + length);
    position += length;
    return part;
  };
  return new Map(
    described.map((one): [string, Tensor] => {
      const { name, dtype, shape } = one;
      if (dtype === 'string') return [name, { dtype, shape, data: one.lengths.map(take) }];
      const count = shape.reduce((product, size) => product * size, 1);
      return [name, tensorOfBytes(dtype, shape, take(count * elementSizeBytes(dtype)), `output ${name}`)];
    }),
  );
}

/** @throws {UnsupportedModel} for an element type that a request cannot hold */
export function toSignature({
  name,
  methodName,
  inputs,
  outputs,
}: z.infer<typeof SignatureSpecs>): Signature {
  const specs = (side: typeof inputs) =>
    side.map(({ name: alias, dtype, shape }): TensorSpec => {
      if (dtype !== 'string' && !isDenseType(dtype))
        throw new UnsupportedModel([dtype], `signature ${name}, ${alias}`);
      return { name: alias, dtype, shape };
    });
  return { name, methodName, inputs: specs(inputs), outputs: specs(outputs) };
}
