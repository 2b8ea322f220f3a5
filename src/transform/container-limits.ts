import type { ContainerWork } from '../frameworks/framework.ts';
import type { Framework } from '../frameworks/framework-name.ts';
import { FRAMEWORKS } from '../frameworks/frameworks.ts';

/**
 * Environment variables that raise the container's own limits to the transform settings: gunicorn stops a request after 30 s, nginx and
 * TorchServe after 60 s, and TorchServe refuses more than 6.5 MB, even if SageMaker allows it. Variables that the pipeline sets are kept.
 */
export function containerLimits(
  work: ContainerWork & { readonly framework: Framework },
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const limits = FRAMEWORKS[work.framework].limits(work);
  return Object.fromEntries(Object.entries(limits).filter(([name]) => given[name] === undefined));
}
