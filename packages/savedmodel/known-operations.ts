import { DECODERS } from './host/decoder.ts';
import { HOST_OPERATIONS } from './host/evaluate.ts';
import { OPERATIONS_BESIDE_TEXTS, TABLES, TEXT_OPERATIONS } from './host/text/text-operations.ts';
import { CONVERTIBLE_OPERATIONS } from './onnx/convert-graph.ts';

/** Operations of TensorFlow 1's control flow, which are gone before anything is converted. */
const UNSTRUCTURED =
  'Enter Exit LoopCond Merge NextIteration Switch TensorArrayGatherV3 TensorArrayReadV3 TensorArrayScatterV3 ' +
  'TensorArraySizeV3 TensorArrayV3 TensorArrayWriteV3';

/** Every operation that a model may use here, sorted. */
export const KNOWN_OPERATIONS: readonly string[] = [
  ...new Set([
    ...CONVERTIBLE_OPERATIONS,
    ...HOST_OPERATIONS,
    ...TEXT_OPERATIONS,
    ...DECODERS,
    ...TABLES,
    ...OPERATIONS_BESIDE_TEXTS,
    ...UNSTRUCTURED.split(' '),
  ]),
].sort();
