import { isDeepStrictEqual } from 'node:util';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { EndpointDescription, Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { Scaling } from '../../aws/sagemaker/scaling.ts';
import type { Served } from '../../endpoint/served.ts';
import { toTags } from '../../endpoint/tags.ts';
import type { EndpointHardware } from '../../endpoints/kind.ts';
import { kindFor, withInstances } from '../../endpoints/kinds.ts';
import type { PlannedEndpoint } from '../../plan/deployed-plan.ts';
import { roundUsd } from '../../price/round-usd.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { HOUR_MS } from '../../text/milliseconds.ts';
import { deployedPlanJson } from '../records/deployed-plan.ts';

interface SyncServedServices {
  readonly store: ObjectStore;
  readonly endpoints: Pick<Endpoints, 'tag' | 'describeConfig'>;
  readonly scaling: Scaling;
  readonly clock: () => Date;
}

/**
 * Brings the document that the prediction API reads, the endpoint's tags and its autoscaling in line with the variants that serve.
 * After a deployment, the settings come from the deployed run's plan; null leaves them as they were. The lifetime of an endpoint
 * that isn't new isn't renewed: otherwise one file a day would keep it for ever.
 */
export async function syncServed(
  { store, endpoints, scaling, clock }: SyncServedServices,
  found: EndpointDescription,
  before: Served,
  deployed: { readonly run: RunParts; readonly isNew: boolean } | null,
  serving: ReadonlySet<string>,
): Promise<Served> {
  const settings =
    deployed === null
      ? before
      : await settingsOf({ store, endpoints }, deployed, { found, before, now: clock() });
  const variants = Object.fromEntries(
    Object.entries(settings.variants).filter(([name]) => serving.has(name)),
  );
  const live = Object.keys(variants)[0] ?? null;
  const served: Served = {
    ...settings,
    status: live === null ? before.status : 'in-service',
    live,
    variants,
  };
  if (live === null) return served;
  const variant = variants[live];
  if (variant !== undefined)
    await endpoints.tag(
      found.arn,
      toTags({
        application: store.bucket,
        pipeline: served.pipeline,
        run: variant.deployedBy,
        modelSha256: variant.modelSha256,
        owner: served.owner,
        expiresAt: served.expiresAt,
      }),
    );
  if (served.autoscaling !== null) await scaling.register(found.name, live, served.autoscaling);
  else if (before.autoscaling !== null) await scaling.deregister(found.name, live);
  return served;
}

async function settingsOf(
  { store, endpoints }: Pick<SyncServedServices, 'store' | 'endpoints'>,
  { run, isNew }: { readonly run: RunParts; readonly isNew: boolean },
  {
    found,
    before,
    now,
  }: { readonly found: EndpointDescription; readonly before: Served; readonly now: Date },
): Promise<Served> {
  const { endpoint, report, labels, transform } = await deployedPlanJson(run).require(store);
  if (endpoint === null) return before;
  const { ttlHours, idleHours, owner, autoscaling, hourlyUsd } = endpoint;
  const { contentType, accept } = transform;
  // Labels and the kind of request are not part of an endpoint's content: if only they changed, the endpoint stays as it is.
  const relabeled = Object.fromEntries(
    Object.entries(before.variants).map(([name, variant]) => [
      name,
      {
        ...variant,
        run: toRunId(run),
        deployedBy: isNew ? toRunId(run) : variant.deployedBy,
        contentType,
        accept,
        ...labels,
        topK: Math.max(1, ...report.topK),
      },
    ]),
  );
  const { isPaidByUse } = kindFor(endpoint);
  const isAsPlanned = await runsAsPlanned(endpoints, found, kindFor(endpoint).toHardware(endpoint));
  const [least, most] = pricedInstances(endpoint);
  const priceOf = (instances: number | null): number | null =>
    hourlyUsd === null || instances === null || !isAsPlanned ? null : roundUsd(hourlyUsd * instances);
  const deployedAt = isNew ? now : new Date(before.deployedAt);
  const expiresAt =
    ttlHours === null ? null : new Date(deployedAt.getTime() + ttlHours * HOUR_MS).toISOString();
  const warned = expiresAt === before.expiresAt && { warnedAt: before.warnedAt, warnedOf: before.warnedOf };
  return {
    ...before,
    variants: relabeled,
    deployedAt: deployedAt.toISOString(),
    expiresAt,
    idleHours: isPaidByUse ? null : idleHours,
    warnedAt: null,
    warnedOf: null,
    ...warned,
    owner,
    autoscaling: isPaidByUse ? null : autoscaling,
    hourlyUsd: priceOf(least),
    maxHourlyUsd: priceOf(most),
  };
}

/** The fewest and the most instances of an endpoint; one number where nothing scales it. */
function pricedInstances({
  autoscaling,
  scaleToZero,
  initialInstanceCount,
}: Pick<PlannedEndpoint, 'autoscaling' | 'scaleToZero' | 'initialInstanceCount'>): [number, number | null] {
  if (scaleToZero) return [0, initialInstanceCount];
  return autoscaling === null
    ? [initialInstanceCount, null]
    : [autoscaling.minInstances, autoscaling.maxInstances];
}

/**
 * Whether the endpoint runs on the plan's hardware. One that was moved off a retired accelerator does not, so the plan's price is not its
 * price.
 */
async function runsAsPlanned(
  endpoints: Pick<Endpoints, 'describeConfig'>,
  { configName }: EndpointDescription,
  planned: EndpointHardware,
): Promise<boolean> {
  const config = await endpoints.describeConfig(configName);
  return (config?.variants ?? []).some(({ hardware }) =>
    isDeepStrictEqual(withInstances(hardware, 1), withInstances(planned, 1)),
  );
}
