import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { onTags } from '../asked-of-role.ts';
import { cutPage } from '../list-page.ts';
import { findByArn } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { mergeTags, Tags } from '../tags.ts';

/** Calls on the tags of any resource. */
export const tagActions = (state: SageMakerState) => [
  /** Adds tags to any resource; a key that is there gets the new value. */
  action('AddTags', {
    input: z.strictObject({ ResourceArn: z.string(), Tags }),
    permissions: onTags(state),
    run: (input) => {
      const found = findByArn(state, input.ResourceArn);
      const tags = mergeTags(found.tags, input.Tags);
      if (tags.length > 50)
        throw new AwsError('ResourceLimitExceeded', `At most 50 tags a resource, would be ${tags.length}`);
      found.setTags(tags);
      return { Tags: tags };
    },
  }),
  /** Tags of any resource. */
  action('ListTags', {
    input: z.strictObject({
      ResourceArn: z.string(),
      MaxResults: z.int().optional(),
      NextToken: z.string().optional(),
    }),
    permissions: onTags(state),
    run: (input) => {
      const { tags } = findByArn(state, input.ResourceArn);
      const page = cutPage(tags, { ...input, MaxResults: input.MaxResults ?? 50 }, ({ Key }) => Key);
      return { Tags: page.items, NextToken: page.nextToken };
    },
  }),
  /** Removes tags by their keys; missing keys are not an error. */
  action('DeleteTags', {
    input: z.strictObject({
      ResourceArn: z.string(),
      TagKeys: z.array(z.string()),
    }),
    run: ({ ResourceArn, TagKeys }) => {
      const found = findByArn(state, ResourceArn);
      found.setTags(found.tags.filter(({ Key }) => !TagKeys.includes(Key)));
    },
  }),
];
