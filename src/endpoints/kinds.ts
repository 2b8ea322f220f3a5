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

/** The same hardware with another number of instances, if its kind has instances. */
export function withInstances(hardware: EndpointHardware, count: number): EndpointHardware {
  return endpointKind(hardware.kind).withInstances(hardware, count);
}

/** The instances that run as long as an endpoint does; null if its kind has no instances. */
export function fleetOf(hardware: EndpointHardware): ReturnType<EndpointKind<EndpointKindName>['fleet']> {
  return endpointKind(hardware.kind).fleet(hardware);
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
