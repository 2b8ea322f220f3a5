import { SERVING } from '../model/framework.ts';
import type { Framework } from '../model/framework-name.ts';
import type { ContainerWork } from '../model/serving/serving-container.ts';

/**
 * Environment variables that raise the container's own limits to the transform settings: gunicorn ends a request after 30 s, nginx and
 * TorchServe after 60 s, and TorchServe refuses more than 6.5 MB, even if SageMaker allows it. Variables that the pipeline sets are kept.
 */
export function containerLimits(
  work: ContainerWork & { readonly framework: Framework },
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const limits = SERVING[work.framework].limits(work);
  return Object.fromEntries(Object.entries(limits).filter(([name]) => given[name] === undefined));
}
