import type { HostedVariant } from './endpoint-record.ts';

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
