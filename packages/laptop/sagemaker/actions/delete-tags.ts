import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { findByArn } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Removes tags by their keys; missing keys are not an error. */
export const deleteTags = (state: SageMakerState) =>
  action('DeleteTags', {
    input: z.strictObject({
      ResourceArn: z.string().max(256),
      TagKeys: z.array(z.string().min(1).max(128)).min(1).max(50),
    }),
    run: ({ ResourceArn, TagKeys }) => {
      const found = findByArn(state, ResourceArn);
      found.setTags(found.tags.filter(({ Key }) => !TagKeys.includes(Key)));
    },
  });
