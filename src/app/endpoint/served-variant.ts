import type { Served, ServedVariant } from '../../endpoint/served.ts';
import { endpointKind } from '../../endpoints/kinds.ts';
import type { DeployablePlan } from '../../plan/deployable-plan.ts';
import { givenArchive } from '../../plan/endpoint/served-archive.ts';
import { functionModelOf, type NamedContent } from './endpoint-content.ts';

/** The facts that the prediction API needs to label the answers of a run's model. */
export function toServedVariant(
  plan: DeployablePlan,
  { content, configName, modelName }: NamedContent,
): ServedVariant {
  const { labels, transform, report } = plan;
  const { kind } = content.hardware;
  return {
    run: plan.run,
    deployedBy: plan.run,
    configName,
    modelName,
    modelSha256: givenArchive(plan.model).sha256,
    hardware: endpointKind(content.hardware.kind).describe(content.hardware),
    kind,
    component: endpointKind(kind).hostsComponents ? configName : null,
    inFunction: functionModelOf(content),
    contentType: transform.contentType,
    accept: transform.accept,
    ...labels,
    topK: Math.max(1, ...report.topK),
  };
}

/** Adds the new variant to the serving ones, before SageMaker moves any traffic; `before` is undefined if nothing serves. */
export function withVariant(
  before: Served | undefined,
  about: {
    readonly pipeline: string;
    readonly endpointName: string;
    readonly variantName: string;
    readonly variant: ServedVariant;
    readonly now: Date;
  },
): Served {
  const { pipeline, endpointName, variantName, variant, now } = about;
  const served: Served = before ?? {
    schema: 1,
    pipeline,
    endpointName,
    status: 'creating',
    live: null,
    variants: {},
    deployedAt: now.toISOString(),
    expiresAt: null,
    idleHours: null,
    warnedAt: null,
    warnedOf: null,
    owner: null,
    autoscaling: null,
    hourlyUsd: null,
    maxHourlyUsd: null,
  };
  return { ...served, endpointName, variants: { ...served.variants, [variantName]: variant } };
}
