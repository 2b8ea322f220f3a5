import { AwsError } from '../kernel/aws-error.ts';
import type { Site } from '../kernel/service.ts';

function prefix(site: Site): string {
  return `arn:${site.partition}:states:${site.region}:${site.account}`;
}

/** `…:stateMachine:<name>`; for children the name is `<machine>/<label>`. */
export function stateMachineArn(site: Site, name: string): string {
  return `${prefix(site)}:stateMachine:${name}`;
}

/** `…:execution:<machine>:<name>`. */
export function executionArn(site: Site, machineName: string, name: string): string {
  return `${prefix(site)}:execution:${machineName}:${name}`;
}

/** Children of a Distributed Map belong to `<machine>/<label>`, and so do its map runs. */
export function mapRunArn(site: Site, machineName: string, label: string, id: string): string {
  return `${prefix(site)}:mapRun:${machineName}/${label}:${id}`;
}

interface StatesArn {
  readonly kind: string;
  /** For a child execution or a map run: `<machine>/<label>`. */
  readonly machine: string;
  readonly name: string | undefined;
}

/** Reads an ARN of the service `states`, or says undefined. */
export function parseStatesArn(arn: string): StatesArn | undefined {
  const [scheme, , service, , , kind, machine, name, ...rest] = arn.split(':');
  if (scheme !== 'arn' || service !== 'states' || !kind || !machine || rest.length > 0) return undefined;
  return { kind, machine, name };
}

/** @throws {AwsError} `InvalidArn` for text that is not an ARN of this kind */
export function checkArn(arn: string, kind: 'stateMachine' | 'execution' | 'mapRun'): void {
  const parsed = parseStatesArn(arn);
  if (parsed?.kind !== kind)
    throw new AwsError('InvalidArn', `Invalid Arn: '${arn}' is not an ARN of a ${kind}`);
}

const FORBIDDEN = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]/u;

/**
 * The rule for names of machines and executions.
 *
 * @throws {AwsError} `InvalidName`
 */
export function checkName(name: string): void {
  if (name.length >= 1 && name.length <= 80 && !FORBIDDEN.test(name)) return;
  throw new AwsError('InvalidName', `Invalid Name: '${name}'`);
}
