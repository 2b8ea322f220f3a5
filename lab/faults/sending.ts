/** One line of the record that stack and campaign keep of the messages on their way. */
export type SendingEvent =
  /** The process of `notify` asks SNS to publish the run's message. */
  | { readonly event: 'publishes'; readonly run: string; readonly pid: number }
  /** Its note that the message is sent was acknowledged. */
  | { readonly event: 'noted'; readonly run: string; readonly pid: number }
  /** SNS or S3 failed it: the campaign had a fault there. */
  | { readonly event: 'failed'; readonly run: string; readonly pid: number }
  /** The campaign ended the process. */
  | { readonly event: 'killed'; readonly pid: number }
  /** The stack ended, and every process below it. */
  | { readonly event: 'stack ended' };

/** A published message, and its sender's state. */
interface Sent {
  readonly pid: number;
  isNoted: boolean;
  /** A fault came between publishing and the note's acknowledgement. */
  isLost: boolean;
}

/**
 * Repetitions by run that at-least-once delivery allows: the message was published again after a sender that the campaign kept from
 * noting it. A second message by any other way is a defect.
 */
export function allowedRepeats(events: Iterable<SendingEvent>): ReadonlyMap<string, number> {
  const sent = new Map<string, Sent>();
  const repeats = new Map<string, number>();
  for (const event of events) {
    switch (event.event) {
      case 'publishes':
        if (sent.get(event.run)?.isLost === true) repeats.set(event.run, (repeats.get(event.run) ?? 0) + 1);
        sent.set(event.run, { pid: event.pid, isNoted: false, isLost: false });
        break;
      case 'noted':
        for (const message of bySender(sent, event)) Object.assign(message, { isNoted: true, isLost: false });
        break;
      case 'failed':
        for (const message of bySender(sent, event)) message.isLost ||= !message.isNoted;
        break;
      case 'killed':
        for (const message of sent.values())
          if (message.pid === event.pid) message.isLost ||= !message.isNoted;
        break;
      case 'stack ended':
        for (const message of sent.values()) message.isLost ||= !message.isNoted;
    }
  }
  return repeats;
}

function bySender(
  sent: ReadonlyMap<string, Sent>,
  { run, pid }: { readonly run: string; readonly pid: number },
): Sent[] {
  const message = sent.get(run);
  return message?.pid === pid ? [message] : [];
}
