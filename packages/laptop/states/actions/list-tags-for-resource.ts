import * as z from 'zod';
import type { StatesDeps } from './deps.ts';
import { requireResource } from './tag-resource.ts';

const Input = z.strictObject({ resourceArn: z.string() });

/** Only machines have tags here. */
export function listTagsForResource(deps: StatesDeps) {
  return (raw: unknown): unknown => {
    const { tags } = requireResource(deps, Input.parse(raw).resourceArn);
    return { tags: Object.entries(tags).map(([key, value]) => ({ key, value })) };
  };
}
