import type { Signature, TensorSpec } from '@inferdrop/savedmodel/servable-model';

/** `tensorflow.DataType` by the names of this container. */
export const DATA_TYPES: Readonly<Record<TensorSpec['dtype'], string>> = {
  float32: 'DT_FLOAT',
  float64: 'DT_DOUBLE',
  float16: 'DT_HALF',
  int8: 'DT_INT8',
  uint8: 'DT_UINT8',
  int16: 'DT_INT16',
  uint16: 'DT_UINT16',
  int32: 'DT_INT32',
  uint32: 'DT_UINT32',
  int64: 'DT_INT64',
  uint64: 'DT_UINT64',
  bool: 'DT_BOOL',
  string: 'DT_STRING',
};

/** The answer of `GET …/metadata`: the signatures as protobuf's JSON, one space an indent. Graph tensor names are not known here. */
export function toMetadata(name: string, version: number, signatures: readonly Signature[]): string {
  const spec = { name, signature_name: '', version: String(version) };
  const definitions = Object.fromEntries(
    signatures.map((signature) => [
      signature.name,
      {
        inputs: toTensorInfos(signature.inputs),
        outputs: toTensorInfos(signature.outputs),
        method_name: signature.methodName ?? 'tensorflow/serving/predict',
      },
    ]),
  );
  const signatureDef = { signature_def: definitions };
  return (
    `{\n"model_spec":${JSON.stringify(spec, null, 1)}\n,\n"metadata": {"signature_def": ` +
    `${JSON.stringify(signatureDef, null, 1)}\n}\n}\n`
  );
}

function toTensorInfos(specs: readonly TensorSpec[]): Record<string, unknown> {
  return Object.fromEntries(
    specs.map(({ name, dtype, shape }) => [
      name,
      {
        dtype: DATA_TYPES[dtype],
        tensor_shape: {
          dim: (shape ?? []).map((size) => ({ size: String(size), name: '' })),
          unknown_rank: shape === null,
        },
        name,
      },
    ]),
  );
}
