import { type ProtoField, toProtoBytes } from './proto-message.ts';

/** `DT_FLOAT` of TensorFlow's types.proto. */
const FLOAT = 1;
/** `GraphDef.versions.producer` of TensorFlow 2.x. */
const PRODUCER = 1882;

/**
 * `saved_model.pb` of a graph that returns its input: enough for TensorFlow Serving to start, without variables. Field numbers
 * are those of TensorFlow's saved_model.proto, meta_graph.proto, graph.proto and op_def.proto.
 */
export function testSavedModel(): Uint8Array {
  const type = (name: string): ProtoField => [
    5,
    [
      [1, name],
      [2, [[6, FLOAT]]],
    ],
  ];
  const tensor = (name: string): ProtoField[] => [
    [1, 'x'],
    [
      2,
      [
        [1, name],
        [2, FLOAT],
        [3, [[3, 1]]],
      ],
    ],
  ];
  const argument = (name: string, attribute: string): ProtoField[] => [
    [1, name],
    [4, attribute],
  ];
  const placeholder: ProtoField[] = [
    [1, 'Placeholder'],
    [3, argument('output', 'dtype')],
    [
      4,
      [
        [1, 'dtype'],
        [2, 'type'],
      ],
    ],
  ];
  const identity: ProtoField[] = [
    [1, 'Identity'],
    [2, argument('input', 'T')],
    [3, argument('output', 'T')],
    [
      4,
      [
        [1, 'T'],
        [2, 'type'],
      ],
    ],
  ];
  const graph: ProtoField[] = [
    [1, [[1, 'x'], [2, 'Placeholder'], type('dtype')]],
    [1, [[1, 'y'], [2, 'Identity'], [3, 'x'], type('T')]],
    [4, [[1, PRODUCER]]],
  ];
  const signature: ProtoField[] = [
    [1, tensor('x:0')],
    [2, tensor('y:0')],
    [3, 'tensorflow/serving/predict'],
  ];
  const about: ProtoField[] = [
    [
      2,
      [
        [1, placeholder],
        [1, identity],
      ],
    ],
    [4, 'serve'],
    [5, '2.19.0'],
  ];
  return toProtoBytes([
    [1, 1],
    [
      2,
      [
        [1, about],
        [2, graph],
        [
          5,
          [
            [1, 'serving_default'],
            [2, signature],
          ],
        ],
      ],
    ],
  ]);
}
