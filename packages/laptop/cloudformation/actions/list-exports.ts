import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { pageOf } from '../page.ts';
import type { Stacks } from '../stacks.ts';

/** The outputs that stacks export under names of the whole region. */
export const listExports = ({ book }: Stacks) =>
  action('ListExports', {
    input: z.strictObject({ NextToken: z.string().optional() }),
    permissions: onAll,
    run: (input) => {
      const exported = book
        .all()
        .flatMap(({ stackId, outputs }) =>
          outputs.flatMap(({ exportName, value }) =>
            exportName === undefined ? [] : [{ ExportingStackId: stackId, Name: exportName, Value: value }],
          ),
        );
      const { items, nextToken } = pageOf(exported, input.NextToken);
      return { Exports: items, NextToken: nextToken };
    },
  });
