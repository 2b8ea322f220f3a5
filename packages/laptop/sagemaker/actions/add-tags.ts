import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { onTags } from '../asked-of-role.ts';
import { findByArn } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { mergeTags, Tags } from '../tags.ts';

/** Adds tags to any resource; a key that is there gets the new value. */
export const addTags = (state: SageMakerState) =>
  action('AddTags', {
    input: z.strictObject({ ResourceArn: z.string().max(256), Tags }),
    permissions: onTags(state),
    run: (input) => {
      const found = findByArn(state, input.ResourceArn);
      const tags = mergeTags(found.tags, input.Tags);
      if (tags.length > 50)
        throw new AwsError('ResourceLimitExceeded', `At most 50 tags a resource, would be ${tags.length}`);
      found.setTags(tags);
      return { Tags: tags };
    },
  });
