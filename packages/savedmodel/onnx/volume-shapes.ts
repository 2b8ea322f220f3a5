import { type GraphNode, intsAttr, textAttr } from '../savedmodel/graph-node.ts';
import { type Infer, input, named, OPEN, sizes } from './known-tensors.ts';

/** Where channels and the three sizes of a volume lie. */
function axesOf(node: GraphNode): readonly number[] {
  return textAttr(node, 'data_format', 'NDHWC') === 'NCDHW' ? [1, 2, 3, 4] : [4, 1, 2, 3];
}

const windows =
  (kernel: 'filter' | 'ksize'): Infer =>
  (node, known) => {
    const whole = input(node, 0, known);
    const filter = kernel === 'filter' ? input(node, 1, known) : null;
    const [channels = 4, ...places] = axesOf(node);
    const result = whole === null ? [OPEN, OPEN, OPEN, OPEN, OPEN] : [...whole];
    if (kernel === 'filter') result[channels] = filter?.[4] ?? OPEN;
    places.forEach((axis, index) => {
      const size = whole?.[axis] ?? OPEN;
      const window =
        kernel === 'filter' ? (filter?.[index] ?? OPEN) : (intsAttr(node, 'ksize')[axis] ?? OPEN);
      const stride = intsAttr(node, 'strides')[axis] ?? 1;
      const reach = window < 0 ? OPEN : (window - 1) * (intsAttr(node, 'dilations')[axis] ?? 1) + 1;
      const isSame = textAttr(node, 'padding') === 'SAME';
      if (size < 0 || (!isSame && reach < 0)) result[axis] = OPEN;
      else result[axis] = Math.max(0, Math.ceil((isSame ? size : size - reach + 1) / stride));
    });
    return result;
  };

/** Shapes of what volumes.ts converts. */
export const VOLUME_SHAPES = [
  ...named('Conv3D', windows('filter')),
  ...named('MaxPool3D AvgPool3D', windows('ksize')),
  ...named('Conv3DBackpropInputV2', (node, known) => sizes(node, 0, known)),
];
