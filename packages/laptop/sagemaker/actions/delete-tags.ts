import * as z from 'zod';
import { parseInput } from '../parse-input.ts';
import { findByArn } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

const DeleteTagsInput = z.strictObject({
  ResourceArn: z.string().max(256),
  TagKeys: z.array(z.string().min(1).max(128)).min(1).max(50),
});

/** Removes tags by their keys; missing keys are not an error. */
export function deleteTags(state: SageMakerState, body: unknown): void {
  const { ResourceArn, TagKeys } = parseInput(DeleteTagsInput, body);
  const found = findByArn(state, ResourceArn);
  found.setTags(found.tags.filter(({ Key }) => !TagKeys.includes(Key)));
}
