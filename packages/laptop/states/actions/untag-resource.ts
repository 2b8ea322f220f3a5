import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { StatesDeps } from './deps.ts';
import { requireResource } from './tag-resource.ts';

/** Removes tags from a machine; missing keys are not an error. */
export const untagResource = (deps: StatesDeps) =>
  action('UntagResource', {
    input: z.strictObject({ resourceArn: z.string(), tagKeys: z.array(z.string()) }),
    run: ({ resourceArn, tagKeys }) => {
      const machine = requireResource(deps, resourceArn);
      const tags = Object.fromEntries(Object.entries(machine.tags).filter(([key]) => !tagKeys.includes(key)));
      deps.machines.save({ ...machine, tags });
      return {};
    },
  });
