import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { StatesDeps } from './deps.ts';
import { requireResource } from './tag-resource.ts';

/** Only machines have tags here. */
export const listTagsForResource = (deps: StatesDeps) =>
  action('ListTagsForResource', {
    input: z.strictObject({ resourceArn: z.string() }),
    run: (input) => {
      const { tags } = requireResource(deps, input.resourceArn);
      return { tags: Object.entries(tags).map(([key, value]) => ({ key, value })) };
    },
  });
