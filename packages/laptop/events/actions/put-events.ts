import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { isRecord, jsonOrUndefined } from '../../kernel/json.ts';
import type { BusEvent } from '../../kernel/ports.ts';

const Entry = z.strictObject({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  Resources: z.array(z.string()).optional(),
  /** Epoch seconds. */
  Time: z.number().optional(),
  EventBusName: z.string().optional(),
  TraceHeader: z.string().optional(),
});

const MAX_ENTRY_BYTES = 262_144;

/** `PutEvents`: accepts or refuses each entry on its own. */
export const putEvents = (bus: { put(event: BusEvent, id: string): Promise<void> }) =>
  action('PutEvents', {
    input: z.strictObject({ Entries: z.array(Entry).min(1).max(10) }),
    run: async (input) => {
      const written: Promise<void>[] = [];
      const entries = input.Entries.map((entry) => {
        const detail = parseDetail(entry.Detail);
        const problem = refuse(entry, detail);
        if (problem) return { ErrorCode: problem[0], ErrorMessage: problem[1] };
        const id = randomUUID();
        const put = bus.put(
          {
            source: entry.Source ?? '',
            'detail-type': entry.DetailType ?? '',
            detail: detail ?? {},
            ...(entry.Resources ? { resources: entry.Resources } : {}),
            ...(entry.Time === undefined ? {} : { timeMs: entry.Time * 1000 }),
          },
          id,
        );
        written.push(put);
        return { EventId: id };
      });
      await Promise.all(written);
      return { FailedEntryCount: entries.filter((entry) => 'ErrorCode' in entry).length, Entries: entries };
    },
  });

function refuse(
  entry: z.infer<typeof Entry>,
  detail: Readonly<Record<string, unknown>> | undefined,
): readonly [string, string] | undefined {
  if (!entry.Source)
    return ['InvalidArgument', 'Parameter Source is not valid. Reason: Source is a required argument.'];
  if (!entry.DetailType)
    return [
      'InvalidArgument',
      'Parameter DetailType is not valid. Reason: DetailType is a required argument.',
    ];
  if (entry.Detail === undefined)
    return ['InvalidArgument', 'Parameter Detail is not valid. Reason: Detail is a required argument.'];
  if (!detail) return ['MalformedDetail', 'Detail is malformed.'];
  if (entry.Source.startsWith('aws.')) return ['NotAuthorizedForSource', 'Not authorized for the source.'];
  const bus = entry.EventBusName?.split('/').at(-1) ?? 'default';
  if (bus !== 'default')
    return [
      'ResourceNotFoundException',
      `Event bus ${bus} does not exist: this stack has the default bus only.`,
    ];
  const sizeBytes = Buffer.byteLength(`${entry.Source}${entry.DetailType}${entry.Detail}`);
  if (sizeBytes > MAX_ENTRY_BYTES)
    return [
      'InvalidArgument',
      `Total size of the entry is ${sizeBytes} bytes, must be at most ${MAX_ENTRY_BYTES}.`,
    ];
  return undefined;
}

function parseDetail(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  const detail = jsonOrUndefined(text ?? '');
  return isRecord(detail) ? detail : undefined;
}
