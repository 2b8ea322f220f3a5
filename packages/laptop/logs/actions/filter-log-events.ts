import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Site } from '../../kernel/service.ts';
import { onGroup } from '../asked-of-role.ts';
import { parseFilterPattern } from '../filter-pattern.ts';
import type { LogLine, LogStore } from '../log-store.ts';
import { groupIn, GroupReference } from './group-reference.ts';

/** `FilterLogEvents` over one group, all streams interleaved; the token is the number of the last event given. */
export const filterLogEvents = (store: LogStore, site: Site) =>
  action('FilterLogEvents', {
    input: z.strictObject({
      ...GroupReference,
      logStreamNames: z.array(z.string()).min(1).max(100).optional(),
      logStreamNamePrefix: z.string().optional(),
      startTime: z.number().default(0),
      endTime: z.number().default(Number.MAX_SAFE_INTEGER),
      filterPattern: z.string().default(''),
      nextToken: z.string().regex(/^\d+$/).optional(),
      limit: z.number().int().min(1).max(10_000).default(10_000),
      interleaved: z.boolean().optional(),
      unmask: z.boolean().optional(),
    }),
    permissions: onGroup(site),
    run: (parsed) => {
      if (parsed.logStreamNames && parsed.logStreamNamePrefix !== undefined) {
        throw new AwsError(
          'InvalidParameterException',
          'Specify only one of logStreamNames and logStreamNamePrefix',
        );
      }
      const matches = parseFilterPattern(parsed.filterPattern);
      const names = parsed.logStreamNames && new Set(parsed.logStreamNames);
      const after = Number(parsed.nextToken ?? 0);
      const lines: LogLine[] = [];
      let more = false;
      store.read(groupIn(parsed), (line) => {
        if (line.n <= after || line.t < parsed.startTime || line.t > parsed.endTime) return true;
        if (names ? !names.has(line.s) : !line.s.startsWith(parsed.logStreamNamePrefix ?? '')) return true;
        if (!matches(line.m)) return true;
        more = lines.length === parsed.limit;
        if (!more) lines.push(line);
        return !more;
      });
      return {
        events: lines.map((line) => ({
          logStreamName: line.s,
          timestamp: line.t,
          message: line.m,
          ingestionTime: line.t,
          eventId: String(line.n).padStart(20, '0'),
        })),
        searchedLogStreams: [],
        nextToken: more ? String(lines.at(-1)?.n) : undefined,
      };
    },
  });
