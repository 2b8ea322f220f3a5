import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { StatesDeps } from './deps.ts';
import { pageOf, Paging } from './page.ts';

/** Machines, sorted by name. */
export const listStateMachines = ({ machines }: StatesDeps) =>
  action('ListStateMachines', {
    input: z.strictObject(Paging),
    run: (input) => {
      const { page, nextToken } = pageOf(machines.all(), ({ arn }) => arn, input);
      const stateMachines = page.map(({ arn, name, createdMs }) => ({
        stateMachineArn: arn,
        name,
        type: 'STANDARD',
        creationDate: createdMs / 1000,
      }));
      return { stateMachines, nextToken };
    },
  });
