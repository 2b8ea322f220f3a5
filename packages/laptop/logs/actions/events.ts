import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Site } from '../../kernel/service.ts';
import { groupIn, GroupReference, onGroup } from '../asked-of-role.ts';
import { parseFilterPattern } from '../filter-pattern.ts';
import type { LogLine, LogStore } from '../log-store.ts';

/** Calls that read events. */
export const eventActions = (store: LogStore, site: Site) => [
  /**
   * `GetLogEvents`. A token is a direction and the number of the event next to the page: `f/17` goes on after event 17,
   * `b/17` before it; at the end of the stream the token that came in goes out again, as clients expect.
   */
  action('GetLogEvents', {
    input: z.strictObject({
      ...GroupReference,
      logStreamName: z.string(),
      startTime: z.number().default(0),
      endTime: z.number().default(Number.MAX_SAFE_INTEGER),
      nextToken: z.string().optional(),
      limit: z.number().int().min(1).max(10_000).default(10_000),
      startFromHead: z.boolean().default(false),
      unmask: z.boolean().optional(),
    }),
    permissions: onGroup(site),
    run: (parsed) => {
      const group = groupIn(parsed);
      if (!store.streams(group).some(({ name }) => name === parsed.logStreamName))
        throw new AwsError('ResourceNotFoundException', 'The specified log stream does not exist.');
      const token = parseToken(parsed.nextToken);
      const forward = token ? token.forward : parsed.startFromHead;
      const lines: LogLine[] = [];
      store.read(group, (line) => {
        if (line.s !== parsed.logStreamName || line.t < parsed.startTime || line.t >= parsed.endTime)
          return true;
        if (token && (token.forward ? line.n <= token.number : line.n >= token.number)) return true;
        lines.push(line);
        if (lines.length <= parsed.limit) return true;
        if (forward) lines.pop();
        else lines.shift();
        return !forward;
      });
      const [first, last] = [lines[0]?.n ?? token?.number ?? 0, lines.at(-1)?.n ?? token?.number ?? 0];
      return {
        events: lines.map(({ t, m }) => ({ timestamp: t, message: m, ingestionTime: t })),
        nextForwardToken: `f/${last}`,
        nextBackwardToken: `b/${first}`,
      };
    },
  }),
  /** `FilterLogEvents` over one group, all streams interleaved; the token is the number of the last event given. */
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
      if (parsed.logStreamNames && parsed.logStreamNamePrefix !== undefined)
        throw new AwsError(
          'InvalidParameterException',
          'Specify only one of logStreamNames and logStreamNamePrefix',
        );
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
  }),
];

function parseToken(
  token: string | undefined,
): { readonly forward: boolean; readonly number: number } | undefined {
  if (token === undefined) return undefined;
  const [, direction, number] = /^([fb])\/(\d+)$/.exec(token) ?? [];
  if (direction === undefined)
    throw new AwsError('InvalidParameterException', `nextToken ${token} is not one that GetLogEvents gave`);
  return { forward: direction === 'f', number: Number(number) };
}
