import { type ProtoField, toProtoBytes } from './proto-message.ts';

/** An ONNX file of one Softmax: rows of `classes` numbers, of which the greatest is the class. */
export function softmaxOnnx(classes: number): Uint8Array {
  const value = (name: string): ProtoField[] => [
    [1, name],
    [
      2,
      [
        [
          1,
          [
            [1, 1],
            [
              2,
              [
                [1, [[2, 'N']]],
                [1, [[1, classes]]],
              ],
            ],
          ],
        ],
      ],
    ],
  ];
  const node: ProtoField[] = [
    [1, 'x'],
    [2, 'y'],
    [4, 'Softmax'],
  ];
  const graph: ProtoField[] = [
    [1, node],
    [2, 'graph'],
    [11, value('x')],
    [12, value('y')],
  ];
  return toProtoBytes([
    [1, 8],
    [2, 'test'],
    [7, graph],
    [8, [[2, 13]]],
  ]);
}
