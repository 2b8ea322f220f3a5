import { type ProtoField, toProtoBytes } from './proto-message.ts';

/** An output of the signature `serving_default`: TensorFlow's `DataType`, and sizes of the shape after the batch. */
export interface FixtureOutput {
  readonly dtype?: number;
  readonly sizes: readonly number[];
}

/** `saved_model.pb` with one signature and no graph to speak of. */
export function savedModelProto(outputs: Readonly<Record<string, FixtureOutput>>, tag = 'serve'): Buffer {
  const entries = Object.entries(outputs).map(([name, { dtype = 1, sizes }]): ProtoField => {
    const shape = [[2, []], ...sizes.map((size): ProtoField => [2, [[1, size]]])] as ProtoField[];
    const info: ProtoField[] = [
      [1, `${name}:0`],
      [2, dtype],
      [3, shape],
    ];
    return [
      2,
      [
        [1, name],
        [2, info],
      ],
    ];
  });
  const signature: ProtoField[] = [
    [1, 'serving_default'],
    [2, entries],
  ];
  const metaGraph: ProtoField[] = [
    [1, [[4, tag]]],
    [2, [[1, 'x'.repeat(5_000)]]],
    [5, signature],
  ];
  return Buffer.from(
    toProtoBytes([
      [1, 1],
      [2, metaGraph],
    ]),
  );
}
