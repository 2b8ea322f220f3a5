import { userInfo } from 'node:os';
import { readChange, readServed } from '../../app/endpoint/endpoint-change.ts';
import { causeText } from '../../app/run/cause-text.ts';
import { lastPassed } from '../../app/plan/find-baseline.ts';
import { startEndpointChange } from '../../app/endpoint/start-endpoint-change.ts';
import type { EndpointRequest } from '../../app/endpoint/start-endpoint-change.ts';
import { endpointLogs } from '../../aws/endpoint-logs.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import { isPipelineName } from '../../drop/run-id.ts';
import { toCandidateName, toEndpointName } from '../../endpoint/names.ts';
import type { Served } from '../../endpoint/served.ts';
import type { Application } from '../application.ts';
import { connect } from '../application.ts';
import type { Command } from '../command.ts';
import { awaitEndpointChange } from '../follow-endpoint.ts';
import { toRun } from '../run-result.ts';
import type { Column } from '../table.ts';
import { toTable } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { visible } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** One line of the table: what serves a pipeline. */
export interface EndpointLine {
  readonly pipeline: string;
  readonly endpoint: string;
  readonly status: string;
  /** The endpoint on which the next model is tested meanwhile; null where none is. */
  readonly candidate: { readonly endpoint: string; readonly status: string } | null;
  readonly run: string | null;
  readonly hardware: string | null;
  readonly hourlyUsd: number | null;
  readonly expiresAt: string | null;
}

/** What a person sees of endpoints. */
export const ENDPOINT_COLUMNS: readonly Column<EndpointLine>[] = [
  { title: 'PIPELINE', text: ({ pipeline }) => visible(pipeline) },
  {
    title: 'STATUS',
    text: ({ status, candidate }) =>
      candidate === null ? status : `${status}, candidate ${candidate.status}`,
  },
  { title: 'RUN', text: ({ run }) => visible(run ?? '–') },
  { title: 'HARDWARE', text: ({ hardware }) => hardware ?? '–' },
  { title: 'COST/HOUR', text: toCost, align: 'right' },
  { title: 'UNTIL (UTC)', text: ({ expiresAt }) => expiresAt?.slice(0, 16).replace('T', ' ') ?? 'deleted' },
];

/** Only what is serverless costs by use; the price list does not know every instance. */
function toCost({ hourlyUsd, hardware }: Pick<EndpointLine, 'hourlyUsd' | 'hardware'>): string {
  if (hourlyUsd !== null) return `$${hourlyUsd.toFixed(2)}`;
  if (hardware === null) return '–';
  return hardware.startsWith('serverless') ? 'by use' : 'not known';
}

/** How far back `endpoints logs` looks, and how much it shows. */
const LOG_HOURS = 24;
const LOG_LINES = 1_000;

/** `inferdrop endpoints`: what serves, and what it costs. */
export function listEndpoints({ stage, json }: { readonly stage: string; readonly json: boolean }): Command {
  return async (terminal) => {
    const application = await connect(stage);
    const lines: EndpointLine[] = [];
    for await (const folder of application.store.listFolders('endpoints/')) {
      const served = await readServed(application.store, folder.split('/').at(-2) ?? '');
      if (served !== undefined) lines.push(await toLine(application, served));
    }
    if (json) terminal.print(JSON.stringify(lines));
    else if (lines.length === 0) terminal.note('nothing is served; inferdrop endpoints deploy PIPELINE');
    else for (const line of toTable(lines, ENDPOINT_COLUMNS)) terminal.print(line);
    return 0;
  };
}

/** `inferdrop endpoints deploy`: serves a run's model; without a run the newest whose gate has passed. */
export function deployEndpoint(options: {
  readonly stage: string;
  readonly pipeline: string;
  readonly run: string | undefined;
  readonly json: boolean;
}): Command {
  return async (terminal) => {
    const pipeline = requirePipeline(options.pipeline);
    const application = await connect(options.stage);
    if (options.run !== undefined && toRun(options.run).pipeline !== pipeline)
      throw new UsageError(`--run ${options.run} is no run of ${pipeline}`);
    const run = options.run ?? (await newestPassed(application, pipeline));
    if ((await application.store.describe(bucketLayout.reportJson(toRun(run)))) === undefined)
      throw new UsageError(
        `${run} has no report: it still runs, there is no such run, or S3 has removed its files after RunsRetentionDays (inferdrop runs --pipeline ${pipeline} shows those that are there)`,
      );
    terminal.note(`Deploying ${visible(run)}`);
    return change(application, { action: 'deploy', pipeline, run }, terminal, options.json);
  };
}

/** `inferdrop endpoints delete`: ends an endpoint, its configurations and models. */
export function deleteEndpoint(options: {
  readonly stage: string;
  readonly pipeline: string;
  readonly json: boolean;
}): Command {
  return async (terminal) => {
    const pipeline = requirePipeline(options.pipeline);
    const application = await connect(options.stage);
    if (!(await hasEndpoint(application, pipeline)))
      throw new UsageError(
        `nothing serves ${pipeline}, so nothing is deleted: inferdrop endpoints shows what is served`,
      );
    const reason = `${userInfo().username} asked for it with the inferdrop command line`;
    return change(application, { action: 'delete', pipeline, reason }, terminal, options.json);
  };
}

/** `inferdrop endpoints logs`: what its containers, and those of its candidates, wrote within the last day. */
export function showEndpointLogs(options: {
  readonly stage: string;
  readonly pipeline: string;
  readonly json: boolean;
}): Command {
  return async (terminal) => {
    const pipeline = requirePipeline(options.pipeline);
    const { endpointPrefix, bucket } = await connect(options.stage);
    const owner = { prefix: endpointPrefix, bucket };
    const names = [toEndpointName(owner, pipeline), toCandidateName(owner, pipeline)];
    const since = new Date(Date.now() - LOG_HOURS * 3_600_000);
    const found = await Promise.all(
      names.map(async (endpoint) =>
        (await endpointLogs(endpoint, since, LOG_LINES)).map((line) => ({ endpoint, ...line })),
      ),
    );
    const lines = found
      .flat()
      .toSorted((a, b) => a.at.getTime() - b.at.getTime())
      .slice(-LOG_LINES);
    if (lines.length === 0) terminal.note(`no log of ${names.join(' or ')} in the last ${LOG_HOURS} hours`);
    for (const line of lines)
      terminal.print(
        options.json
          ? JSON.stringify(line)
          : `${line.at.toISOString()} ${line.endpoint} ${line.stream} ${visible(line.text)}`,
      );
    return 0;
  };
}

async function toLine(
  { endpoints, endpointPrefix, bucket }: Application,
  served: Served,
): Promise<EndpointLine> {
  const candidateName = toCandidateName({ prefix: endpointPrefix, bucket }, served.pipeline);
  const [found, candidate] = await Promise.all([
    endpoints.describe(served.endpointName),
    endpoints.describe(candidateName),
  ]);
  const live = served.live === null ? undefined : served.variants[served.live];
  return {
    pipeline: served.pipeline,
    endpoint: served.endpointName,
    status: found?.status ?? 'gone',
    candidate: candidate === undefined ? null : { endpoint: candidateName, status: candidate.status },
    run: live?.run ?? null,
    hardware: live?.hardware ?? null,
    hourlyUsd: served.hourlyUsd,
    expiresAt: served.expiresAt,
  };
}

/** Whether there is anything to delete, be it what an execution that died has left. */
async function hasEndpoint(
  { store, endpoints, endpointPrefix: prefix, bucket }: Application,
  pipeline: string,
): Promise<boolean> {
  const owner = { prefix, bucket };
  const found = await Promise.all([
    readServed(store, pipeline),
    readChange(store, pipeline),
    endpoints.describe(toEndpointName(owner, pipeline)),
    endpoints.describe(toCandidateName(owner, pipeline)),
  ]);
  return found.some((one) => one !== undefined);
}

async function newestPassed({ store }: Application, pipeline: string): Promise<string> {
  const passed = await lastPassed(store, pipeline);
  if (passed !== null) return passed;
  throw new UsageError(
    `no run of ${pipeline} that can be served has passed its gate; name one with --run, or see inferdrop runs --pipeline ${pipeline}`,
  );
}

async function change(
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
  const { status, output, error, cause } = await awaitEndpointChange(application, arn, terminal);
  const success = status === 'SUCCEEDED';
  const why = causeText(cause ?? '');
  if (json) terminal.print(success ? (output ?? 'null') : JSON.stringify({ status, error, cause: why }));
  else if (!success) terminal.note(`${error ?? status}: ${why}`);
  return success ? 0 : 1;
}

function requirePipeline(name: string): string {
  if (isPipelineName(name)) return name;
  throw new UsageError(`PIPELINE must be a pipeline's name, as in cifar10, is ${name}`);
}
