import type { FrameworkFacts } from './framework.ts';
import type { Framework } from './framework-name.ts';
import { onnx } from './onnx/facts.ts';
import { pytorch } from './pytorch/facts.ts';
import { tensorflow } from './tensorflow/facts.ts';

/**
 * Facts of each framework. Their inference containers are compacted from aws/sagemaker-python-sdk v2.257.6,
 * src/sagemaker/image_uri_config. If a version exists for several Pythons, `py3` is chosen.
 */
export const FRAMEWORKS: Readonly<Record<Framework, FrameworkFacts>> = { tensorflow, pytorch, onnx };

/** Names of the frameworks with models that functions run, in quotes: `"onnx" or "tensorflow"`. */
export function inFunctions(last: 'and' | 'or'): string {
  const names = Object.entries(FRAMEWORKS).flatMap(([name, facts]) =>
    'remedy' in facts.inFunctions ? [] : [JSON.stringify(name)],
  );
  return names.toSorted().join(` ${last} `);
}
