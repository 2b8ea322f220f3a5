import * as z from 'zod';
import type { TrailFilter } from '../../../aws/account/call-trail.ts';
import { parsedJson } from '../../../text/parsed-json.ts';
import { type DeniedCall, judgeDeniedCalls, type PartlyRead } from '../../../verify/denied-calls.ts';
import type { Check, VerifiedStack } from '../check.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;
/** Events of a caller that are read: 20 requests, of which CloudTrail takes two a second. */
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
/** Application Auto Scaling tries its caller's rights itself, and reports what it met as a ValidationException. */
const TOLD_AS_INVALID = /not authorized|access ?denied|unable to assume|permission/i;

/** Roles of containers, whose sessions SageMaker names after itself. */
const CONTAINER_ROLES = ['ModelRole', 'TrainingRole'];
/** Roles of the state machines, whose sessions have names that Step Functions makes up. */
const MACHINE_ROLES = ['StatesRole', 'TrainingStepsRole', 'EndpointRole', 'ReportFailureRole'];
/** Calls of the state machines that CloudTrail records; invocations of functions are not among them. */
const MACHINE_CALLS = ['StartExecution', 'DescribeExecution', 'StopExecution'];

/** A search in CloudTrail, and the roles whose calls count in it; every role where a session's name is unique to its function. */
interface Search {
  readonly caller: string;
  readonly filter: TrailFilter;
  readonly roles?: readonly string[];
}

/** What AWS refused to the stack's functions and state machines, and to SageMaker as the roles of containers. */
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
    return judgeDeniedCalls(calls, { callers: searches.length, days: DAYS, partly });
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
    TOLD_AS_INVALID.test(errorMessage)
  );
}
