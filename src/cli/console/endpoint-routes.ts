import { userInfo } from 'node:os';
import { buffer } from 'node:stream/consumers';
import type { Deployable } from '../../api/console/endpoint-row.ts';
import { MAX_BODY_BYTES } from '../../api/limits.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import { startEndpointChange } from '../../app/endpoint/start-endpoint-change.ts';
import { lastPassed } from '../../app/plan/read/find-baseline.ts';
import { planJson } from '../../app/records/plan.ts';
import { callApi } from '../../aws/calls/call-api.ts';
import { isPipelineName, RunParts } from '../../run/run-id.ts';
import type { Application } from '../application.ts';
import { hasEndpoint } from '../pipelines/has-endpoint.ts';
import { sendFile, sendJson } from './answer.ts';
import { type Route, route } from './route.ts';

/** Addresses by which pages deploy, delete and ask an endpoint. */
export function endpointRoutes(application: Application): readonly Route[] {
  const { store, endpointChanges, apiUrl } = application;
  const change = async (action: 'deploy' | 'delete', pipeline: string, run?: string): Promise<object> => {
    const reason = `${userInfo().username} asked for it in the console`;
    const request = { action, pipeline, reason, ...(run !== undefined && { run }) };
    await startEndpointChange(endpointChanges, request, `console ${new Date().toISOString()}`);
    return {};
  };
  return [
    route('GET', '/api/deployable/:pipeline', async ({ parts, response }) => {
      const run = await lastPassed(store, toPipeline(parts));
      const planned = run === null ? undefined : (await planJson(RunParts.parse(run)).read(store))?.endpoint;
      const answer: Deployable = {
        run,
        hourlyUsd: planned?.hourlyUsd ?? null,
        ttlHours: planned?.ttlHours ?? null,
      };
      sendJson(response, answer);
    }),
    route('POST', '/api/endpoints/:pipeline', async ({ parts, query, response }) => {
      const pipeline = toPipeline(parts);
      const run = RunParts.safeParse(query.get('run'));
      if (!run.success || run.data.pipeline !== pipeline)
        throw new RequestProblem('invalid-request', `run must name a run of ${pipeline}`);
      sendJson(response, await change('deploy', pipeline, query.get('run') ?? ''), 202);
    }),
    route('DELETE', '/api/endpoints/:pipeline', async ({ parts, response }) => {
      const pipeline = toPipeline(parts);
      if (!(await hasEndpoint(application, pipeline)))
        throw new RequestProblem('no-endpoint', `nothing serves ${pipeline}, so nothing is deleted`);
      sendJson(response, await change('delete', pipeline), 202);
    }),
    route('POST', '/api/predict/:pipeline', async ({ parts, incoming, response }) => {
      const size = Number(incoming.headers['content-length'] ?? NaN);
      if (!(size <= MAX_BODY_BYTES))
        throw new RequestProblem(
          'body-too-large',
          `the file has ${size} bytes, and the API takes at most ${MAX_BODY_BYTES}: drop it instead`,
        );
      const answer = await callApi({
        method: 'POST',
        url: new URL(`${apiUrl.replace(/\/$/, '')}/predict/${toPipeline(parts)}`),
        headers: { 'content-type': incoming.headers['content-type'] ?? 'application/x-image' },
        body: await buffer(incoming),
      });
      sendFile(response, { contentType: 'application/json', body: await answer.text() }, answer.status);
    }),
  ];
}

function toPipeline({ pipeline = '' }: Readonly<Record<string, string>>): string {
  if (isPipelineName(pipeline)) return pipeline;
  throw new RequestProblem('unknown-pipeline', `${pipeline} is not the name of a pipeline`);
}
