import { CloudTrailClient, LookupEventsCommand } from '@aws-sdk/client-cloudtrail';
import { withErrorNames } from '../calls/aws-error.ts';

/** A management event of CloudTrail. */
interface TrailEvent {
  readonly at: Date;
  /** Text of the record, as JSON. */
  readonly record: string;
}

/** Events to look for: a role session's by its name, or all calls of a name, by any caller. */
export type TrailFilter = { readonly user: string } | { readonly call: string };

/** Events from CloudTrail's event history, which covers 90 days, newest first. */
export type CallTrail = (filter: TrailFilter, since: Date) => AsyncIterable<TrailEvent>;

let client: CloudTrailClient | undefined;

/** Reads the event history of the account and region, 50 events a request, until the caller stops iterating. */
export const callTrail: CallTrail = async function* (filter, since) {
  // "The rate of lookup requests is limited to two per second, per account, per Region."
  client ??= new CloudTrailClient({ maxAttempts: 10, retryMode: 'adaptive' });
  const attribute =
    'user' in filter
      ? ({ AttributeKey: 'Username', AttributeValue: filter.user } as const)
      : ({ AttributeKey: 'EventName', AttributeValue: filter.call } as const);
  let NextToken: string | undefined;
  do {
    const answer = await withErrorNames(
      client.send(new LookupEventsCommand({ LookupAttributes: [attribute], StartTime: since, NextToken })),
    );
    for (const { EventTime = since, CloudTrailEvent = '{}' } of answer.Events ?? [])
      yield { at: EventTime, record: CloudTrailEvent };
    NextToken = answer.NextToken;
  } while (NextToken !== undefined);
};
