import { expect, it } from 'vitest';
import { TEST_SAVED_MODEL } from '../../../src/app/verify/probe/archive.ts';
import { type ProtoField, toProtoBytes } from '../../support/proto-message.ts';

/** `DT_FLOAT` of TensorFlow's types.proto. */
const FLOAT = 1;
/** `GraphDef.versions.producer` of TensorFlow 2.x. */
const PRODUCER = 1882;

it('the saved model of the test archive is a graph that returns its input', () => {
  expect(Buffer.from(identityGraph())).toEqual(TEST_SAVED_MODEL);
});

/** The graph by the field numbers of TensorFlow's saved_model.proto, meta_graph.proto, graph.proto and op_def.proto. */
function identityGraph(): Uint8Array {
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
