import * as z from 'zod';
import type { StatesDeps } from './deps.ts';
import { requireResource } from './tag-resource.ts';

const Input = z.strictObject({ resourceArn: z.string(), tagKeys: z.array(z.string()) });

/** Takes tags from a machine; keys that are not there are no error. */
export function untagResource(deps: StatesDeps) {
  return (raw: unknown): unknown => {
    const { resourceArn, tagKeys } = Input.parse(raw);
    const machine = requireResource(deps, resourceArn);
    const tags = Object.fromEntries(Object.entries(machine.tags).filter(([key]) => !tagKeys.includes(key)));
    deps.machines.save({ ...machine, tags });
    return {};
  };
}
