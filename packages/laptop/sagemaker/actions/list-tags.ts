import * as z from 'zod';
import { cutPage } from '../list-page.ts';
import { parseInput } from '../parse-input.ts';
import { findByArn } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

const ListTagsInput = z.strictObject({
  ResourceArn: z.string().max(256),
  MaxResults: z.int().min(50).optional(),
  NextToken: z.string().max(8192).optional(),
});

/** Tags of any resource. */
export function listTags(state: SageMakerState, body: unknown): Record<string, unknown> {
  const input = parseInput(ListTagsInput, body);
  const { tags } = findByArn(state, input.ResourceArn);
  const page = cutPage(tags, { ...input, MaxResults: input.MaxResults ?? 50 }, ({ Key }) => Key);
  return { Tags: page.items, NextToken: page.nextToken };
}
