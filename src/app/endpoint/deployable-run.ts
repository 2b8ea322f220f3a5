import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { resolveAccelerator } from '../../endpoint/retired-accelerator.ts';
import { resolveImageUri } from '../../frameworks/image-uri.ts';
import { isAcceleratorImage, regionOfAwsImage } from '../../model/image-registry.ts';
import { familyOf } from '../../model/instance-families.ts';
import { notServedReason, toBeServed } from '../../pipeline/not-served.ts';
import type { DeployablePlan } from '../../plan/deployable-plan.ts';
import type { PlannedEndpoint } from '../../plan/deployed-plan.ts';
import type { PlannedModel } from '../../plan/planned-model.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { deployablePlanJson } from '../records/deployable-plan.ts';
import { reportFigures } from '../records/run-index.ts';

/** A run that may be served, and its endpoint settings. */
export interface DeployableRun {
  readonly plan: DeployablePlan;
  readonly planned: PlannedEndpoint;
}

/**
 * Reads the endpoint that a run planned; `accelerator` replaces a retired one, null leaves the plan as it is.
 *
 * @throws {EndpointNotPlanned}
 * @throws {GateNotPassed}
 */
export async function requireDeployable(
  store: ObjectStore,
  run: RunParts,
  accelerator: 'replace' | 'cpu' | null,
): Promise<DeployableRun> {
  const runId = toRunId(run);
  if ((await store.describe(bucketLayout.plan(run))) === undefined)
    throw new Condition(
      'EndpointNotPlanned',
      `${runId} cannot be served: it does not exist, or S3 has removed its files after RunsRetentionDays. Deploy a ` +
        `newer run (inferdrop runs --pipeline ${run.pipeline}), or drop its inputs again`,
    );
  const plan = await deployablePlanJson(run).require(store);
  if (plan.endpoint === null)
    throw new Condition(
      'EndpointNotPlanned',
      `${runId} has no endpoint in its plan, because its pipeline.json asks for one that cannot be, as the notes of ` +
        `its report say: correct endpoint there, and run inferdrop rerun ${quoted(runId)}`,
    );
  if (plan.judgedByDrop.length > 0)
    throw new Condition(
      'EndpointNotPlanned',
      `${runId} must not be served: its ${notServedReason(plan.judgedByDrop)}. To serve the model, ` +
        `${toBeServed(plan.judgedByDrop, run.pipeline)}`,
    );
  const { gate } = await reportFigures(run).require(store);
  if (gate.verdict === 'failed')
    throw new Condition(
      'GateNotPassed',
      `${runId} must not be served. ${gate.explanation} Deploy a run that passes`,
    );
  const { endpoint: planned } = plan;
  return { plan, planned: accelerator === null ? planned : withoutAccelerator(plan, planned, accelerator) };
}

/** The plan's endpoint on current hardware, with the container for it. */
function withoutAccelerator(
  { model }: DeployablePlan,
  planned: PlannedEndpoint,
  accelerator: 'replace' | 'cpu',
): PlannedEndpoint {
  if (planned.acceleratorType === null && !isAcceleratorImage(planned.imageUri)) return planned;
  const { instanceType } = resolveAccelerator({ ...planned, onRetiredAccelerator: accelerator });
  const image = imageFor(instanceType, model, planned.imageUri);
  if ('reason' in image)
    throw new Condition(
      'EndpointNotPlanned',
      `${model.name} cannot be moved off its accelerator: ${image.reason}`,
    );
  return {
    ...planned,
    instanceType,
    amiVersion: planned.amiVersion ?? familyOf(instanceType).hostingImage,
    acceleratorType: null,
    imageUri: image.imageUri,
  };
}

/** The container for other hardware: AWS's images have a variant for each, one of the user's own is kept. */
function imageFor(
  instanceType: string,
  model: PlannedModel,
  imageUri: string,
): { readonly imageUri: string } | { readonly reason: string } {
  const region = regionOfAwsImage(imageUri);
  if (region !== undefined)
    return resolveImageUri({
      framework: model.framework,
      version: model.frameworkVersion,
      instanceType,
      region,
    });
  if (!isAcceleratorImage(imageUri)) return { imageUri };
  return {
    reason: `its image ${imageUri} is for accelerators: name another in model.image of pipeline.json, and deploy a run of that`,
  };
}
