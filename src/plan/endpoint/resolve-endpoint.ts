import { resolveAccelerator } from '../../endpoint/retired-accelerator.ts';
import { kindOf } from '../../endpoints/kinds.ts';
import type { AskedEndpoint, EndpointFrame, EndpointPlanning } from '../../endpoints/planning.ts';
import { ENDPOINT_PLANNING } from '../../endpoints/plannings.ts';
import { resolveImageUri } from '../../frameworks/image-uri.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import { priceTable, resolveHourlyPrice } from '../../price/price-table.ts';
import { type Problem, problemLine } from '../../problem/problem.ts';
import type { PlannedEndpoint } from '../deployed-plan.ts';
import { misspeltType } from '../judge/misspelt-type.ts';

/** The endpoint of a run; null without one. */
export interface ResolvedEndpoint {
  readonly endpoint: PlannedEndpoint | null;
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Resolves the endpoint of a run and refuses combinations that AWS refuses later, or that cannot be intended.
 *
 * A pipeline that never deploys is refused only for its accelerator and a misspelled type; its endpoint is still resolved, for
 * deployments by hand.
 */
export function resolveEndpoint(config: PipelineConfig, frame: EndpointFrame): ResolvedEndpoint {
  const { endpoint: settings, model } = config;
  const usdPerHour = (type: string): number | null =>
    resolveHourlyPrice(type, frame.region, { table: priceTable, override: frame.prices }).usd;
  const hardware = resolveAccelerator(settings, usdPerHour);
  const { instanceType, acceleratorType } = hardware;
  const problems: Problem[] = [];
  const refuse = (field: string, value: unknown, message: string): void => {
    problems.push({ file: 'pipeline.json', field: `endpoint.${field}`, value: toShownValue(value), message });
  };
  if (hardware.refusal !== undefined) refuse('acceleratorType', settings.acceleratorType, hardware.refusal);
  const misspelt = usdPerHour(instanceType) === null ? misspeltType(instanceType) : undefined;
  if (misspelt !== undefined) refuse('instanceType', instanceType, misspelt);
  const always = [...problems];

  const image = imageOf(config, instanceType, acceleratorType, frame.region);
  const isVersion = 'reason' in image && image.field !== 'instanceType';
  if ('reason' in image && (isVersion || misspelt === undefined)) {
    problems.push({
      file: 'pipeline.json',
      field: isVersion ? 'model.frameworkVersion' : 'endpoint.instanceType',
      value: toShownValue(isVersion ? model.frameworkVersion : instanceType),
      message: image.reason,
    });
  }
  const planning = ENDPOINT_PLANNING[kindOf(settings)];
  const asked = { config, frame, instanceType, instanceUsd: usdPerHour(instanceType) };
  planning.refuse(asked, refuse);
  if (settings.deploy === 'when-gate-passes' && !hasGate(config)) {
    const message =
      'needs a gate to pass: set gate.minAccuracy or gate.maxErrorRate, or endpoint.deploy to "never" and deploy by hand';
    refuse('deploy', settings.deploy, message);
  }

  const deploys = settings.deploy !== 'never';
  return {
    endpoint:
      'reason' in image || problems.length > 0
        ? null
        : plannedEndpoint(asked, planning, acceleratorType, image.imageUri),
    notes: [
      ...(hardware.note === undefined ? [] : [hardware.note]),
      ...(deploys
        ? planning.notes(asked)
        : problems.map((problem) => `the model of this run cannot be deployed: ${problemLine(problem)}`)),
    ],
    problems: deploys ? problems : always,
  };
}

function plannedEndpoint(
  asked: AskedEndpoint,
  planning: EndpointPlanning,
  acceleratorType: string | null,
  imageUri: string,
): PlannedEndpoint {
  const { onRetiredAccelerator: _, ...settings } = asked.config.endpoint;
  const { instanceType } = asked;
  return {
    ...settings,
    ...planning.defaults(asked),
    ttlHours: settings.ttlHours === undefined ? planning.usualTtlHours : settings.ttlHours,
    instanceType,
    acceleratorType,
    imageUri,
    hourlyUsd: planning.hourlyUsd(asked),
  };
}

function imageOf(
  { model }: PipelineConfig,
  instanceType: string,
  acceleratorType: string | null,
  region: string,
): ReturnType<typeof resolveImageUri> {
  if (model.image !== null) return { imageUri: model.image };
  const { framework, frameworkVersion: version } = model;
  return resolveImageUri({ framework, version, instanceType, region, acceleratorType });
}

function hasGate({ gate }: PipelineConfig): boolean {
  return gate !== null && (gate.minAccuracy !== undefined || gate.maxErrorRate !== undefined);
}
