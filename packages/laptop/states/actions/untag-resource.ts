import * as z from 'zod';
import type { StatesDeps } from './deps.ts';
import { requireResource } from './tag-resource.ts';

const Input = z.strictObject({ resourceArn: z.string(), tagKeys: z.array(z.string()) });

/** Removes tags from a machine; missing keys are not an error. */
export function untagResource(deps: StatesDeps) {
  return (raw: unknown): unknown => {
    const { resourceArn, tagKeys } = Input.parse(raw);
    const machine = requireResource(deps, resourceArn);
    const tags = Object.fromEntries(Object.entries(machine.tags).filter(([key]) => !tagKeys.includes(key)));
    deps.machines.save({ ...machine, tags });
    return {};
  };
}
