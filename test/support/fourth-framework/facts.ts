import type { FrameworkFacts } from '../../../src/frameworks/framework.ts';
import { row } from '../../../src/model/image-registry.ts';

/** AWS's container of trees, as a framework of its own would name it. */
export const trees: FrameworkFacts = {
  images: {
    inference: [row('1.7-1', 'sagemaker-xgboost', 'R1')],
    graviton: [],
    eia: [],
  },
  containerOf: 'trees' as FrameworkFacts['containerOf'],
  patchedUntil: { '1.7': '2026-01-31' },
  firstBeyondP2: '1.0',
  limits: ({ maxPayloadInMB }) => ({ MAX_CONTENT_LENGTH: String(maxPayloadInMB * 1024 * 1024) }),
  whyNoBundles: () => 'its container runs no script',
  installs: null,
  inFunctions: { remedy: 'convert it to ONNX (onnxmltools)' },
};
