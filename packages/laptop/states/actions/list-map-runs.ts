import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { StatesDeps } from './deps.ts';
import { pageOf, Paging } from './page.ts';

/** Newest first. */
export const listMapRuns = ({ executions, mapRuns }: StatesDeps) =>
  action('ListMapRuns', {
    input: z.strictObject({ executionArn: z.string(), ...Paging }),
    run: (input) => {
      executions.summary(input.executionArn);
      const own = [...mapRuns.all()]
        .filter(({ executionArn }) => executionArn === input.executionArn)
        .reverse();
      const { page, nextToken } = pageOf(own, ({ arn }) => arn, input);
      const listed = page.map(({ arn, executionArn, machineArn, startMs, stopMs }) => ({
        executionArn,
        mapRunArn: arn,
        stateMachineArn: machineArn,
        startDate: startMs / 1000,
        stopDate: stopMs === undefined ? undefined : stopMs / 1000,
      }));
      return { mapRuns: listed, nextToken };
    },
  });
