import * as z from 'zod';
import type { TrailFilter } from '../../../aws/account/call-trail.ts';
import { isDenial } from '../../../problem/aws-words.ts';
import { moment } from '../../../text/dates.ts';
import { DAY_MS } from '../../../text/milliseconds.ts';
import { parsedJson } from '../../../text/parse-json.ts';
import type { Check } from '../check.ts';
import { failed, type Finding, ok, warning } from '../finding.ts';
import type { VerifiedStack } from '../verified-stack.ts';

const DAYS = 7;
/** Events of a caller that are read: 20 requests; CloudTrail takes two a second. */
const EVENTS = 1_000;

/** The fields of CloudTrail's record with the caller and the refused action. */
const TrailRecord = z.object({
  eventSource: z.string(),
  eventName: z.string(),
  errorCode: z.string().optional(),
  errorMessage: z.string().default(''),
  userIdentity: z.object({ arn: z.string().default('') }).default({ arn: '' }),
});
type TrailRecord = z.infer<typeof TrailRecord>;

const IS_DENIED = /AccessDenied|Unauthorized|NotAuthorized|Forbidden/i;
/** Roles of containers. SageMaker names their sessions after itself. */
const CONTAINER_ROLES = ['ModelRole', 'TrainingRole'];
/** Roles of the state machines. Step Functions makes up their sessions' names. */
const MACHINE_ROLES = ['StatesRole', 'TrainingStepsRole', 'EndpointRole', 'ReportFailureRole'];
/** Calls of the state machines that CloudTrail records; invocations of functions are not among them. */
const MACHINE_CALLS = ['StartExecution', 'DescribeExecution', 'StopExecution'];

/** A search in CloudTrail, and the roles with calls that count in it; every role if a session's name is unique to its function. */
interface Search {
  readonly caller: string;
  readonly filter: TrailFilter;
  readonly roles?: readonly string[];
}

/** Calls that AWS refused to the stack's functions and state machines, and to SageMaker in the roles of containers. */
export const deniedCalls: Check = {
  name: 'denied-calls',
  asks: "Which calls of the stack's roles has AWS refused in the last week, by CloudTrail?",
  usd: null,
  run: async ({ trail, stack, clock }) => {
    const since = new Date(clock().getTime() - DAYS * DAY_MS);
    const calls: DeniedCall[] = [];
    const partly: PartlyRead[] = [];
    const searches = searchesOf(stack);
    for (const { caller, filter, roles } of searches) {
      let read = 0;
      for await (const { at, record } of trail(filter, since)) {
        if (read === EVENTS) {
          partly.push({ caller, since: at.toISOString() });
          break;
        }
        read += 1;
        const event = TrailRecord.parse(parsedJson(record));
        const { arn } = event.userIdentity;
        if (isDenied(event) && (roles?.some((role) => arn.includes(`:assumed-role/${role}/`)) ?? true))
          calls.push({
            at: at.toISOString(),
            caller: roles === undefined ? caller : (arn.split('/')[1] ?? caller),
            action: `${event.eventSource.split('.')[0] ?? ''}:${event.eventName}`,
            message: event.errorMessage,
          });
      }
    }
    return judgeDeniedCalls(calls, { callers: searches.length, partly });
  },
};

function searchesOf({ resources }: VerifiedStack): readonly Search[] {
  const idsOf = (wanted: (resource: VerifiedStack['resources'][number]) => boolean): readonly string[] =>
    resources.filter(wanted).map(({ physicalId }) => physicalId);
  const rolesOf = (ids: readonly string[]): readonly string[] =>
    idsOf(({ logicalId }) => ids.includes(logicalId));
  return [
    // A function's session is named after it.
    ...idsOf(({ type }) => type === 'AWS::Lambda::Function').map((user) => ({
      caller: user,
      filter: { user },
    })),
    { caller: 'SageMaker', filter: { user: 'SageMaker' }, roles: rolesOf(CONTAINER_ROLES) },
    ...MACHINE_CALLS.map((call) => ({
      caller: `callers of ${call}`,
      filter: { call },
      roles: rolesOf(MACHINE_ROLES),
    })),
  ];
}

function isDenied({ eventSource, errorCode, errorMessage }: TrailRecord): boolean {
  if (IS_DENIED.test(errorCode ?? '')) return true;
  return (
    eventSource.startsWith('application-autoscaling.') &&
    errorCode === 'ValidationException' &&
    isDenial(errorMessage)
  );
}

/** A call that AWS refused, as recorded by CloudTrail. */
interface DeniedCall {
  readonly at: string;
  /** Owner of the role: a function's name, or a service. */
  readonly caller: string;
  /** Action in IAM's notation: `sagemaker:CreateEndpoint`. */
  readonly action: string;
  readonly message: string;
}

/** A caller with more calls than were read, and the time of the oldest that was. */
interface PartlyRead {
  readonly caller: string;
  readonly since: string;
}

const SHOWN = 5;

/** Whether a role of the stack was refused a call within the days covered. */
export function judgeDeniedCalls(
  calls: readonly DeniedCall[],
  looked: { readonly callers: number; readonly partly: readonly PartlyRead[] },
): Finding {
  const partly = looked.partly.map(({ caller, since }) => `${caller} since ${moment(since)} only`);
  const since = [`in ${DAYS} days of ${looked.callers} callers`, ...partly].join(', ');
  if (calls.length === 0 && partly.length > 0)
    return warning(
      `no refused call ${since}`,
      'Callers that make many calls were not read for the whole time, so an older refusal of theirs is not seen. Ask ' +
        'CloudTrail Lake or Athena for errorCode AccessDenied of these sessions, if something of theirs failed.',
    );
  if (calls.length === 0)
    return ok(
      `no refused call ${since}`,
      'No policy lacked a permission for anything that the stack has done so far. Reads and writes of objects are not ' +
        'in CloudTrail by default.',
    );
  const kinds = new Map<string, { count: number; last: DeniedCall }>();
  for (const call of calls) {
    const kind = `${call.caller} ${call.action}`;
    const known = kinds.get(kind);
    kinds.set(kind, {
      count: (known?.count ?? 0) + 1,
      last: known !== undefined && known.last.at > call.at ? known.last : call,
    });
  }
  const lines = [...kinds].map(
    ([kind, { count, last }]) => `${kind} (${count}, last ${moment(last.at)}: ${last.message})`,
  );
  const more = lines.length > SHOWN ? `; and ${lines.length - SHOWN} more kinds` : '';
  return failed(
    `${calls.length} refused calls ${since}: ${lines.slice(0, SHOWN).join('; ')}${more}`,
    'A role lacks a permission, or a policy of the organization denies it. Deploy this release again; if it stays, report this file.',
  );
}
