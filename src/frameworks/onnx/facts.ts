import type { ImageRow } from '../../model/image-registry.ts';
import { compareVersions } from '../../model/version-order.ts';
import type { FrameworkFacts } from '../framework.ts';
import { pytorch } from '../pytorch/facts.ts';

/** Images with a Python that the pinned onnxruntime is built for: 3.11 and 3.12, from PyTorch 2.3 on. */
const hasNewPython = ({ versions }: ImageRow): boolean =>
  versions.some((known) => compareVersions(known, '2.3') >= 0);

/**
 * The PyTorch container, in which a handler opens model.onnx with onnxruntime. It has no onnxruntime: pip installs it,
 * from the network or from `code/wheels/`.
 */
export const onnx: FrameworkFacts = {
  ...pytorch,
  images: {
    inference: pytorch.images.inference.filter(hasNewPython),
    graviton: pytorch.images.graviton.filter(hasNewPython),
    eia: [],
  },
  installs: 'onnxruntime',
  // Only inferdrop's own handler.
  inFunctions: { runsScripts: false },
};
