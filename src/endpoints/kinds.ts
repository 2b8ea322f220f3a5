import { lambdaKind } from './function/rules.ts';
import { instanceKind } from './instance/rules.ts';
import type {
  EndpointHardware,
  EndpointKind,
  EndpointKindName,
  HardwareSettings,
  HostedVariant,
} from './kind.ts';
import { scaleToZeroKind } from './scale-to-zero/rules.ts';
import { serverlessKind } from './serverless/rules.ts';

const ENDPOINT_KINDS: { readonly [Name in EndpointKindName]: EndpointKind<Name> } = {
  instance: instanceKind,
  serverless: serverlessKind,
  scaleToZero: scaleToZeroKind,
  lambda: lambdaKind,
};

/** The rules of a kind of endpoint. */
export function endpointKind<Name extends EndpointKindName>(name: Name): EndpointKind<Name> {
  return ENDPOINT_KINDS[name];
}

/** The kind of endpoint that settings ask for. */
export function kindOf({
  type,
  scaleToZero,
}: Pick<HardwareSettings, 'type' | 'scaleToZero'>): EndpointKindName {
  return scaleToZero ? 'scaleToZero' : type;
}

/** The rules of the kind of endpoint that settings ask for. */
export function kindFor(settings: Parameters<typeof kindOf>[0]): EndpointKind<EndpointKindName> {
  return endpointKind(kindOf(settings));
}

/** The hardware of a plan, without the settings that belong to the other kinds. */
export function toHardware(settings: HardwareSettings): EndpointHardware {
  return kindFor(settings).toHardware(settings);
}

/** The same hardware with another number of instances, where it has instances. */
export function withInstances<Name extends EndpointKindName>(
  hardware: EndpointHardware<Name>,
  count: number,
): EndpointHardware<Name> {
  return endpointKind<Name>(hardware.kind).withInstances(hardware, count);
}

/** The instances that run as long as their endpoint does; null for kinds without. */
export function fleetOf<Name extends EndpointKindName>(
  hardware: EndpointHardware<Name>,
): ReturnType<EndpointKind<Name>['fleet']> {
  return endpointKind<Name>(hardware.kind).fleet(hardware);
}

/** The variant by which SageMaker hosts hardware; null if it does not. */
export function toHosted<Name extends EndpointKindName>(
  hardware: EndpointHardware<Name>,
): HostedVariant | null {
  return endpointKind<Name>(hardware.kind).toHosted(hardware);
}

/**
 * The hardware of a variant of SageMaker's.
 *
 * @throws {RangeError} if no kind has such variants
 */
export function ofHosted(variant: HostedVariant): EndpointHardware {
  for (const kind of Object.values(ENDPOINT_KINDS)) {
    const hardware = kind.ofHosted(variant);
    if (hardware !== null) return hardware;
  }
  throw new RangeError(`no kind of endpoint has variants such as ${JSON.stringify(variant)}`);
}

/** Hardware in words: `2 × ml.m5.xlarge`, `serverless, 4096 MB, 10 at once`. */
export function describeHardware<Name extends EndpointKindName>(hardware: EndpointHardware<Name>): string {
  return endpointKind<Name>(hardware.kind).describe(hardware);
}
