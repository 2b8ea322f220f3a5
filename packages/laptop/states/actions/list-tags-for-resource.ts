import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { StatesDeps } from './deps.ts';

/** Tags of a machine: nothing else has tags here. */
export const listTagsForResource = ({ machines }: StatesDeps) =>
  action('ListTagsForResource', {
    input: z.strictObject({ resourceArn: z.string() }),
    run: (input) => {
      const machine = machines.get(input.resourceArn);
      if (!machine) throw new AwsError('ResourceNotFound', `Resource not found: '${input.resourceArn}'`);
      return { tags: Object.entries(machine.tags).map(([key, value]) => ({ key, value })) };
    },
  });
