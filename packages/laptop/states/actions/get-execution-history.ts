import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onExecution } from '../asked-of-role.ts';
import { withoutData } from '../engine/without-data.ts';
import type { StatesDeps } from './deps.ts';
import { findExecution } from './find-execution.ts';
import { pageOf, Paging } from './page.ts';

/** Oldest first unless `reverseOrder`, in pages; of a running execution what there is. */
export const getExecutionHistory = (deps: StatesDeps) =>
  action('GetExecutionHistory', {
    input: z.strictObject({
      executionArn: z.string(),
      reverseOrder: z.boolean().default(false),
      includeExecutionData: z.boolean().default(true),
      ...Paging,
    }),
    permissions: onExecution,
    run: (input) => {
      const all = findExecution(deps, input.executionArn).history();
      const ordered = input.reverseOrder ? all.toReversed() : all;
      const { page, nextToken } = pageOf(ordered, ({ id }) => String(id), input);
      return { events: input.includeExecutionData ? page : page.map(withoutData), nextToken };
    },
  });
