import { CloudTrailClient, LookupEventsCommand } from '@aws-sdk/client-cloudtrail';
import { withErrorNames } from './aws-error.ts';

/** A management event of CloudTrail. */
export interface TrailEvent {
  readonly at: Date;
  /** Text of the record, as JSON. */
  readonly record: string;
}

/** The newest events of a caller from CloudTrail's event history, which covers 90 days. */
export type CallTrail = (user: string, since: Date) => Promise<readonly TrailEvent[]>;

/** Four pages of 50: a denied call repeats, so the newest calls of a caller suffice. */
const PAGES = 4;

let client: CloudTrailClient | undefined;

/** Reads the event history of the account and region; `user` is a role session's name. */
export async function callTrail(user: string, since: Date): Promise<readonly TrailEvent[]> {
  // "The rate of lookup requests is limited to two per second, per account, per Region."
  client ??= new CloudTrailClient({ maxAttempts: 10, retryMode: 'adaptive' });
  const events: TrailEvent[] = [];
  let NextToken: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const answer = await withErrorNames(
      client.send(
        new LookupEventsCommand({
          LookupAttributes: [{ AttributeKey: 'Username', AttributeValue: user }],
          StartTime: since,
          NextToken,
        }),
      ),
    );
    for (const { EventTime = since, CloudTrailEvent = '{}' } of answer.Events ?? [])
      events.push({ at: EventTime, record: CloudTrailEvent });
    NextToken = answer.NextToken;
    if (NextToken === undefined) break;
  }
  return events;
}
