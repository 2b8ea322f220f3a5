import * as z from 'zod';
import type { ByRunKind } from '../run/run-kind.ts';
import { parsedJson } from '../text/parse-json.ts';
import { parseUpload } from './upload-event.ts';

/** A message of the dead-letter queue. */
export interface DeadLetter {
  readonly id: string;
  readonly body: string;
  readonly sentAt: Date;
  /** Queue that gave the message up after too many receives; undefined for other senders. */
  readonly sourceQueueArn?: string;
  /** Message attributes by name. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Functions that are invoked asynchronously, and so have dead letters. */
type LetterFunction = 'canary' | 'clean-up-run' | 'repair-endpoint' | 'sweep' | 'sweep-endpoints';

/** Where a dead letter belongs, with the body or payload that is expected there; `nowhere` says what is wrong with it. */
type Destination =
  | { readonly to: 'uploads'; readonly body: string }
  | { readonly to: LetterFunction; readonly body: string }
  | { readonly to: 'nowhere'; readonly problem: string };

/** A dead letter as an operator reads it. */
export interface ReadLetter {
  /** Sender of the letter: SQS after too many receives, an EventBridge rule, or Lambda after the last attempt of a function. */
  readonly from: string;
  /** File, execution or sweep that the letter is about. */
  readonly about: string;
  readonly why: string;
  readonly destination: Destination;
}

/** The stack's state machines. */
export interface LetterMachines {
  readonly runs: ByRunKind<string>;
  readonly endpoint: string;
}

const text = z.string();
/** An upload event as S3 sends it; the stack's rule cuts it down. */
const ObjectCreated = z.object({
  'detail-type': z.literal('Object Created'),
  time: text,
  detail: z.object({
    object: z.object({
      key: text,
      size: z.number().optional(),
      etag: text.optional(),
      'version-id': text.optional(),
    }),
  }),
});
const ExecutionEnd = z.object({
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({ stateMachineArn: text, name: text, status: text, error: text.nullish() }),
});
const Scheduled = z.object({ 'detail-type': z.literal('Scheduled Event') });
const SWEEP = '{}';
/** The constant inputs of other rules with a schedule, in infra. */
const SWEEP_ENDPOINTS = '{"check":"endpoints"}';
const CANARY = '{"check":"stack"}';

/**
 * Reads a dead letter of any of its three forms: the body that SQS gave up, the event of a rule with the attributes `RULE_ARN` and
 * `ERROR_CODE`, the payload of a function with `RequestID` and `ErrorMessage`. Lambda does not name the function, so that the body
 * decides where a letter belongs; a rule names its target.
 */
export function readLetter(letter: DeadLetter, machines: LetterMachines): ReadLetter {
  const { attributes, sourceQueueArn } = letter;
  const destination = destinationOf(letter, machines);
  const rule = attributes.RULE_ARN;
  if (rule !== undefined) {
    const why = [attributes.ERROR_CODE, attributes.ERROR_MESSAGE].filter(Boolean).join(': ');
    return { from: `rule ${lastPart(rule)}`, about: aboutOf(letter, destination), why, destination };
  }
  if (attributes.RequestID !== undefined)
    return {
      from: `function${destination.to === 'nowhere' ? '' : ` ${destination.to}`}`,
      about: aboutOf(letter, destination),
      why: `${errorOf(attributes.ErrorMessage)} (request ${attributes.RequestID})`,
      destination,
    };
  return {
    from: sourceQueueArn === undefined ? 'unknown' : `queue ${sourceQueueArn.split(':').at(-1)}`,
    about: aboutOf(letter, destination),
    why: sourceQueueArn === undefined ? '' : 'received too often; the log of accept-drop says why',
    destination,
  };
}

function destinationOf({ body, attributes }: DeadLetter, machines: LetterMachines): Destination {
  const value = parsedJson(body);
  const created = ObjectCreated.safeParse(value);
  if (created.success) {
    const { time, detail } = created.data;
    const { key, size, etag, 'version-id': version } = detail.object;
    return { to: 'uploads', body: JSON.stringify({ key, size, etag, version, time }) };
  }
  const end = ExecutionEnd.safeParse(value);
  if (end.success) {
    const { stateMachineArn } = end.data.detail;
    if (stateMachineArn === machines.endpoint) return { to: 'repair-endpoint', body };
    if (Object.values(machines.runs).includes(stateMachineArn)) return { to: 'clean-up-run', body };
    return { to: 'nowhere', problem: `the execution is of ${stateMachineArn}, which is not this stack's` };
  }
  const compact = JSON.stringify(value);
  if (compact === SWEEP_ENDPOINTS) return { to: 'sweep-endpoints', body: compact };
  if (compact === CANARY) return { to: 'canary', body: compact };
  if (compact === SWEEP) return { to: 'sweep', body: compact };
  if (Scheduled.safeParse(value).success) {
    const target = lastPart(attributes.TARGET_ARN ?? '');
    if (target.endsWith('-sweep-endpoints')) return { to: 'sweep-endpoints', body: SWEEP_ENDPOINTS };
    if (target.endsWith('-sweep')) return { to: 'sweep', body: SWEEP };
    if (target.endsWith('-canary')) return { to: 'canary', body: CANARY };
    return {
      to: 'nowhere',
      problem: `no rule of this stack has the target ${target || 'that the letter lacks'}`,
    };
  }
  const upload = parseUpload(body);
  if ('refused' in upload && upload.refused === 'unreadable')
    return { to: 'nowhere', problem: upload.problem };
  return { to: 'uploads', body };
}

function aboutOf({ body }: DeadLetter, destination: Destination): string {
  switch (destination.to) {
    case 'uploads':
      return z.object({ key: text }).safeParse(parsedJson(destination.body)).data?.key ?? '';
    case 'clean-up-run':
    case 'repair-endpoint': {
      const { name, status, error } = ExecutionEnd.parse(parsedJson(body)).detail;
      return `execution ${name} (${error ? `${status}, ${error}` : status})`;
    }
    case 'nowhere':
      return body.slice(0, 80);
    default:
      return destination.to;
  }
}

/** Lambda gives the message of the error, or its whole JSON. */
function errorOf(message = ''): string {
  const error = z
    .object({ errorType: text.optional(), errorMessage: text })
    .safeParse(parsedJson(message)).data;
  return error === undefined ? message : [error.errorType, error.errorMessage].filter(Boolean).join(': ');
}

function lastPart(arn: string): string {
  return arn.split(/[:/]/).at(-1) ?? arn;
}
