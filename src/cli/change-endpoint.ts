import { type EndpointRequest, startEndpointChange } from '../app/endpoint/start-endpoint-change.ts';
import { causeText } from '../problem/cause-text.ts';
import { parseRunId, pipelineNameProblem } from '../run/run-id.ts';
import { quoted } from '../text/shell-quoted.ts';
import type { Application } from './application.ts';
import { tellAtInterrupt } from './laptop/tell-at-interrupt.ts';
import { awaitEndpointChange } from './show/follow-endpoint.ts';
import type { Terminal } from './show/terminal.ts';
import { UsageError } from './usage-error.ts';

/**
 * Starts a change of an endpoint and shows it until it has ended.
 *
 * @returns the exit code
 */
export async function changeEndpoint(
  application: Application,
  request: EndpointRequest,
  terminal: Terminal,
  json: boolean,
): Promise<number> {
  const { arn } = await startEndpointChange(
    application.endpointChanges,
    request,
    `command line ${new Date().toISOString()}`,
  );
  const takeBack = tellAtInterrupt(
    () =>
      `The change goes on, and its message follows; inferdrop endpoints shows what serves ${request.pipeline}`,
    terminal,
  );
  const changed = await awaitEndpointChange(application, arn, terminal).finally(takeBack);
  const { status, output, error, cause } = changed;
  const success = status === 'SUCCEEDED';
  const why = causeText({ error: error ?? '', cause: cause ?? '' });
  if (json) terminal.print(success ? (output ?? 'null') : JSON.stringify({ status, error, cause: why }));
  else if (!success) terminal.note(`${error ?? status}: ${why}`);
  return success ? 0 : 1;
}

/** @throws {UsageError} for a text that is not a valid pipeline name */
export function requirePipeline(name: string): string {
  const wrong = pipelineNameProblem(name);
  if (wrong === undefined) return name;
  const run = parseRunId(name);
  const remedy =
    run === undefined
      ? ''
      : `: that is a run; give ${run.pipeline}, to endpoints deploy with --run ${quoted(name)}`;
  throw new UsageError(`PIPELINE ${wrong}${remedy}`);
}
