import type { RoleSessions } from '../kernel/permission.ts';
import type { LogWriter } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import { logGroupArn } from './log-arn.ts';

const CALLS = ['logs:CreateLogStream', 'logs:PutLogEvents'];

/** The log, written with the rights of a role: without them nothing is written and nothing fails, as in AWS. */
export function logsAsRole(
  {
    logs,
    site,
    refusalOf,
  }: { readonly logs: LogWriter; readonly site: Site; readonly refusalOf: RoleSessions['refusal'] },
  role: string,
  sessionName: string,
): LogWriter {
  /** Asked once for each stream, which lives as long as an instance. */
  const allowed = new Map<string, boolean>();
  return {
    write(group, stream, message) {
      const resource = `${logGroupArn(site, group)}:log-stream:${stream}`;
      const known = allowed.get(resource);
      const isAllowed =
        known ??
        refusalOf(
          role,
          sessionName,
          CALLS.map((action) => ({ action, resource })),
        ) === null;
      if (known === undefined) allowed.set(resource, isAllowed);
      if (isAllowed) logs.write(group, stream, message);
    },
  };
}
