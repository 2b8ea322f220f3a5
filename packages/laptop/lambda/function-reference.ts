import type { Site } from '../kernel/service.ts';

/** The qualifier of a function's code as it was last deployed. */
export const LATEST = '$LATEST';

/** A function, and what stands behind its name. */
export interface FunctionReference {
  readonly name: string;
  /** `$LATEST`, or a version or alias (neither exists here). */
  readonly qualifier: string;
}

/** Reads a name or an ARN (whole or partial), with or without qualifier. */
export function parseFunctionReference(target: string): FunctionReference {
  const tail = target.includes('function:') ? target.slice(target.lastIndexOf('function:') + 9) : target;
  const [name = '', qualifier = LATEST] = tail.split(':');
  return { name, qualifier };
}

/** The ARN of a function, without qualifier. */
export function functionArn(site: Site, name: string): string {
  return `arn:${site.partition}:lambda:${site.region}:${site.account}:function:${name}`;
}
