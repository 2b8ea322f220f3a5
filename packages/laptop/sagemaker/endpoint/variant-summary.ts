import type { ComponentHost, HostedVariant } from './endpoint-record.ts';

/** A deployed variant as DescribeEndpoint and events show it. */
export function toVariantSummary({ settings, model, weight, instanceCount }: HostedVariant) {
  const image = model.input.PrimaryContainer?.Image ?? model.input.Containers?.[0]?.Image;
  const { ServerlessConfig } = settings;
  return {
    VariantName: settings.VariantName,
    ...(image === undefined ? {} : { DeployedImages: [{ SpecifiedImage: image, ResolvedImage: image }] }),
    CurrentWeight: weight,
    DesiredWeight: weight,
    ...(instanceCount === undefined
      ? {}
      : { CurrentInstanceCount: instanceCount, DesiredInstanceCount: instanceCount }),
    ...(ServerlessConfig === undefined
      ? {}
      : { CurrentServerlessConfig: ServerlessConfig, DesiredServerlessConfig: ServerlessConfig }),
  };
}

/** A variant that hosts inference components as DescribeEndpoint shows it. */
export function toHostSummary({ settings, instanceCount }: ComponentHost) {
  const weight = settings.InitialVariantWeight ?? 1;
  return {
    VariantName: settings.VariantName,
    CurrentWeight: weight,
    DesiredWeight: weight,
    CurrentInstanceCount: instanceCount,
    DesiredInstanceCount: instanceCount,
    ManagedInstanceScaling: settings.ManagedInstanceScaling,
    ...(settings.RoutingConfig === undefined ? {} : { RoutingConfig: settings.RoutingConfig }),
  };
}
