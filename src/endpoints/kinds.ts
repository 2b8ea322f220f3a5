import { lambdaKind } from './function/rules.ts';
import { instanceKind } from './instance/rules.ts';
import type { EndpointHardware, EndpointKind, EndpointKindName, HardwareSettings } from './kind.ts';
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

/** The hardware of a plan, without the settings that belong to the other kinds. */
export function toHardware(settings: HardwareSettings): EndpointHardware {
  return endpointKind(kindOf(settings)).toHardware(settings);
}

/** The same hardware with another number of instances, where it has instances. */
export function withInstances<Name extends EndpointKindName>(
  hardware: EndpointHardware<Name>,
  count: number,
): EndpointHardware<Name> {
  return endpointKind<Name>(hardware.kind).withInstances(hardware, count);
}

/** Hardware in words: `2 × ml.m5.xlarge`, `serverless, 4096 MB, 10 at once`. */
export function describeHardware<Name extends EndpointKindName>(hardware: EndpointHardware<Name>): string {
  return endpointKind<Name>(hardware.kind).describe(hardware);
}
