import type { Site } from '../kernel/service.ts';

/** A function and which version of it. */
export interface FunctionReference {
  readonly name: string;
  /** `$LATEST` or a version's number. */
  readonly qualifier: string;
}

/** Reads a name or an ARN (whole or partial), with or without qualifier. */
export function parseFunctionReference(target: string): FunctionReference {
  const tail = target.includes('function:') ? target.slice(target.lastIndexOf('function:') + 9) : target;
  const [name = '', qualifier = '$LATEST'] = tail.split(':');
  return { name, qualifier };
}

/** The ARN of a function, without qualifier. */
export function functionArn(site: Site, name: string): string {
  return `arn:${site.partition}:lambda:${site.region}:${site.account}:function:${name}`;
}
