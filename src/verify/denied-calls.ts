import type { Finding } from './finding.ts';

/** A call that AWS refused, as recorded by CloudTrail. */
export interface DeniedCall {
  readonly at: string;
  /** Owner of the role: a function's name, or a service. */
  readonly caller: string;
  /** In IAM's notation: `sagemaker:CreateEndpoint`. */
  readonly action: string;
  readonly message: string;
}

/** A caller with more calls than were read, and the time of the oldest that was. */
export interface PartlyRead {
  readonly caller: string;
  readonly since: string;
}

const SHOWN = 5;

/** Whether a role of the stack was refused a call within the days covered. */
export function judgeDeniedCalls(
  calls: readonly DeniedCall[],
  looked: { readonly callers: number; readonly days: number; readonly partly: readonly PartlyRead[] },
): Finding {
  const partly = looked.partly.map(({ caller, since }) => `${caller} since ${since.slice(0, 16)} only`);
  const since = [`in ${looked.days} days of ${looked.callers} callers`, ...partly].join(', ');
  if (calls.length === 0 && partly.length > 0)
    return {
      answered: `no refused call ${since}`,
      verdict: 'warning',
      means:
        'Callers that make many calls were not read for the whole time, so an older refusal of theirs is not seen. Ask CloudTrail Lake or Athena for errorCode AccessDenied of these sessions, if something of theirs failed.',
    };
  if (calls.length === 0)
    return {
      answered: `no refused call ${since}`,
      verdict: 'ok',
      means:
        'No policy lacked a permission for what the stack has done so far. Reads and writes of objects are not in CloudTrail by default.',
    };
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
    ([kind, { count, last }]) => `${kind} (${count}, last ${last.at.slice(0, 16)}: ${last.message})`,
  );
  const more = lines.length > SHOWN ? `; and ${lines.length - SHOWN} more kinds` : '';
  return {
    answered: `${calls.length} refused calls ${since}: ${lines.slice(0, SHOWN).join('; ')}${more}`,
    verdict: 'failed',
    means:
      'A role lacks a permission, or a policy of the organization denies it. Deploy this release again; if it stays, report this file.',
  };
}
