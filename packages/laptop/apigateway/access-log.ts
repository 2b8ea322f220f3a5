import type { Clock } from '../kernel/clock.ts';
import type { LogWriter } from '../kernel/ports.ts';
import type { Stage } from './api-record.ts';

/** Values of `$context` when a request finishes, by the name after the dot; `-` stands for a missing value. */
export type AccessContext = Readonly<Record<string, string | number | undefined>>;

/** Writes a stage's access log in the format that the template gives. */
export function writeAccessLog(logs: LogWriter, clock: Clock, stage: Stage, context: AccessContext): void {
  if (stage.accessLog === undefined) return;
  const line = stage.accessLog.format.replace(/\$context\.([a-zA-Z0-9._]+)/g, (_, name: string) =>
    escape(String(context[name] ?? '-')),
  );
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  logs.write(stage.accessLog.group, `${stage.apiId}/${stage.name}/${day}`, line);
}

/** Formats are mostly JSON with the variables in quotation marks. */
function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
