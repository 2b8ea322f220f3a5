import { parseResourceTags } from '../../src/run/resource-tags.ts';
import { env } from './env.ts';

/** Tags of the stack's parameter `ResourceTags`, for everything that runs make. */
export const resourceTags = (): Readonly<Record<string, string>> => parseResourceTags(env('RESOURCE_TAGS'));
