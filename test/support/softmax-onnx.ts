import { type ProtoField, toProtoBytes } from './proto-message.ts';

/** A tensor of floats: a batch of these sizes. */
const value = (name: string, sizes: readonly number[]): ProtoField[] => {
  const dimensions = sizes.map((size): ProtoField => [1, [[1, size]]]);
  return [
    [1, name],
    [
      2,
      [
        [
          1,
          [
            [1, 1],
            [2, [[1, [[2, 'N']]], ...dimensions]],
          ],
        ],
      ],
    ],
  ];
};

const node = (from: string, to: string, operator: string): ProtoField => [
  1,
  [
    [1, from],
    [2, to],
    [4, operator],
  ],
];

/** An ONNX file of one Softmax: rows of `classes` numbers, or such sizes, of which the greatest is the class. */
export function softmaxOnnx(classes: number, sizes: readonly number[] = [classes]): Uint8Array {
  const graph: ProtoField[] = [
    ...(sizes.length > 1
      ? [node('x', 'flat', 'Flatten'), node('flat', 'y', 'Softmax')]
      : [node('x', 'y', 'Softmax')]),
    [2, 'graph'],
    [11, value('x', sizes)],
    [12, value('y', [classes])],
  ];
  return toProtoBytes([
    [1, 8],
    [2, 'test'],
    [7, graph],
    [8, [[2, 13]]],
  ]);
}
