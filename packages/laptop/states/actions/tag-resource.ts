import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { StoredMachine } from '../store/machines.ts';
import type { StatesDeps } from './deps.ts';
import { Tags } from './machine-input.ts';

const MAX_TAGS = 50;

/** Adds tags to a machine; a key that is there gets the new value. */
export const tagResource = (deps: StatesDeps) =>
  action('TagResource', {
    input: z.strictObject({ resourceArn: z.string(), tags: Tags }),
    run: ({ resourceArn, tags }) => {
      const machine = requireResource(deps, resourceArn);
      const added = Object.fromEntries(tags.map(({ key, value }) => [key, value]));
      const all = { ...machine.tags, ...added };
      if (Object.keys(all).length > MAX_TAGS)
        throw new AwsError('TooManyTags', "You've exceeded the number of tags allowed for a resource.", {
          details: { resourceName: resourceArn },
        });
      deps.machines.save({ ...machine, tags: all });
      return {};
    },
  });

/** @throws {AwsError} `ResourceNotFound` */
export function requireResource({ machines }: StatesDeps, arn: string): StoredMachine {
  const machine = machines.get(arn);
  if (!machine) throw new AwsError('ResourceNotFound', `Resource not found: '${arn}'`);
  return machine;
}
