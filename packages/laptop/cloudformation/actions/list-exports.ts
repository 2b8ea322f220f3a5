import * as z from 'zod';
import type { QueryActions } from '../../kernel/query-service.ts';
import { pageOf } from '../page.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.strictObject({ NextToken: z.string().optional() });

/** The outputs that stacks export under names of the whole region. */
export function listExports({ book }: Stacks): QueryActions[string] {
  return (input) => {
    const exported = book
      .all()
      .flatMap(({ stackId, outputs }) =>
        outputs.flatMap(({ exportName, value }) =>
          exportName === undefined ? [] : [{ ExportingStackId: stackId, Name: exportName, Value: value }],
        ),
      );
    const { items, nextToken } = pageOf(exported, Input.parse(input).NextToken);
    return { Exports: items, NextToken: nextToken };
  };
}
