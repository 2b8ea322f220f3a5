import * as z from 'zod';
import { withoutData } from '../engine/without-data.ts';
import type { StatesDeps } from './deps.ts';
import { findExecution } from './find-execution.ts';
import { Paging, pageOf } from './page.ts';

const Input = z.strictObject({
  executionArn: z.string(),
  reverseOrder: z.boolean().default(false),
  includeExecutionData: z.boolean().default(true),
  ...Paging,
});

/** Oldest first unless `reverseOrder`, in pages; of a running execution what there is. */
export function getExecutionHistory(deps: StatesDeps) {
  return (raw: unknown): unknown => {
    const input = Input.parse(raw);
    const all = findExecution(deps, input.executionArn).history();
    const ordered = input.reverseOrder ? all.toReversed() : all;
    const { page, nextToken } = pageOf(ordered, ({ id }) => String(id), input);
    return { events: input.includeExecutionData ? page : page.map(withoutData), nextToken };
  };
}
