import { resolveImageUri } from '../../frameworks/image-uri.ts';
import { familyOf } from '../../model/instance-families.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { Problem } from '../../problem/problem.ts';

/** The container of a run. */
export interface ResolvedImages {
  /** Undefined if there are problems. */
  readonly imageUri: string | undefined;
  readonly problems: readonly Problem[];
}

/** Chooses the container for every instance type named. */
export function resolveImages({ model, transform }: PipelineConfig, region: string): ResolvedImages {
  const problems: Problem[] = [];
  const resolve = (instanceType: string, field: string): string | undefined => {
    if (model.image !== null) return model.image;
    const { framework, frameworkVersion: version } = model;
    const resolved = resolveImageUri({ framework, version, instanceType, region });
    if ('imageUri' in resolved) return resolved.imageUri;
    const isVersion = resolved.field !== 'instanceType';
    const problem: Problem = {
      file: 'pipeline.json',
      field: isVersion ? 'model.frameworkVersion' : field,
      value: toShownValue(isVersion ? version : instanceType),
      message: resolved.reason,
    };
    if (!problems.some((known) => known.field === problem.field && known.message === problem.message))
      problems.push(problem);
    return undefined;
  };

  const images = transform.instanceTypes.map((type, at) => resolve(type, `transform.instanceTypes.${at}`));
  for (const [at, type] of transform.instanceTypes.entries()) {
    if (familyOf(type).batch) continue;
    const message =
      'is not an instance type of batch transform: use one such as ml.m5.xlarge, ml.c6i.xlarge, ml.g4dn.xlarge';
    problems.push({
      file: 'pipeline.json',
      field: `transform.instanceTypes.${at}`,
      value: toShownValue(type),
      message,
    });
  }
  if (new Set(images).size > 1 && !images.includes(undefined)) {
    problems.push({
      file: 'pipeline.json',
      field: 'transform.instanceTypes',
      value: toShownValue(transform.instanceTypes),
      message:
        "must all run the same container, but some have a GPU and some don't: name one kind only, or give model.image",
    });
  }

  return {
    imageUri: images[0],
    problems,
  };
}
