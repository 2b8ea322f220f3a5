import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onTags } from '../asked-of-role.ts';
import { cutPage } from '../list-page.ts';
import { findByArn } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Tags of any resource. */
export const listTags = (state: SageMakerState) =>
  action('ListTags', {
    input: z.strictObject({
      ResourceArn: z.string().max(256),
      MaxResults: z.int().min(50).optional(),
      NextToken: z.string().max(8192).optional(),
    }),
    permissions: onTags(state),
    run: (input) => {
      const { tags } = findByArn(state, input.ResourceArn);
      const page = cutPage(tags, { ...input, MaxResults: input.MaxResults ?? 50 }, ({ Key }) => Key);
      return { Tags: page.items, NextToken: page.nextToken };
    },
  });
