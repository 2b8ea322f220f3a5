import * as z from 'zod';
import document from '../../../docs/openapi.json' with { type: 'json' };
import type { ObjectStore } from '../../aws/object-store.ts';
import type { PresignedLinks } from '../../aws/presigned-links.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import type { RunParts } from '../../drop/run-id.ts';
import { isPipelineName, parseRunId, toRunId } from '../../drop/run-id.ts';
import type { PipelineList, RunDetails, RunList } from '../../predict/api-schemas.ts';
import type { HttpResponse } from '../../predict/http-request.ts';
import { HttpRequest, jsonResponse } from '../../predict/http-request.ts';
import { RequestProblem } from '../../predict/problem-details.ts';
import { readServed } from '../endpoint/endpoint-change.ts';
import { RunSummary } from '../run/run-index.ts';

export const ApiInput = HttpRequest;

export interface ApiServices {
  readonly store: ObjectStore;
  readonly links: PresignedLinks;
  /** Of the links. */
  readonly linkSeconds: number;
  readonly clock: () => Date;
}

const MOST_RUNS = 100;
const FEW_RUNS = 20;

/**
 * The routes that only read: pipelines, runs, one run with links to its report, and the OpenAPI document.
 *
 * @throws {RequestProblem}
 */
export async function api(request: HttpRequest, services: ApiServices): Promise<HttpResponse> {
  switch (request.routeKey) {
    case 'GET /pipelines':
      return jsonResponse(200, await listPipelines(services.store));
    case 'GET /runs':
      return jsonResponse(200, await listRuns(services.store, request.queryStringParameters));
    case 'GET /runs/{pipeline}/{drop}/{generation}':
      return jsonResponse(200, await describeRun(request.pathParameters, services));
    case 'GET /openapi.json':
      return jsonResponse(200, document);
    default:
      throw new RequestProblem('unknown-route', `${request.routeKey} is no route of this API`);
  }
}

async function listPipelines(store: ObjectStore): Promise<PipelineList> {
  const names: string[] = [];
  for await (const folder of store.listFolders('pipelines/')) names.push(folder.split('/').at(-2) ?? folder);
  const pipelines = names.map(async (pipeline) => {
    const served = await readServed(store, pipeline);
    const live =
      served?.live === undefined || served.live === null ? undefined : served.variants[served.live];
    const endpoint =
      served === undefined
        ? null
        : {
            name: served.endpointName,
            status: served.status,
            run: live?.run ?? null,
            hardware: live?.hardware ?? null,
            deployedAt: served.deployedAt,
            expiresAt: served.expiresAt,
          };
    return { pipeline, endpoint };
  });
  return { pipelines: await Promise.all(pipelines) };
}

async function listRuns(
  store: ObjectStore,
  { pipeline, limit = String(FEW_RUNS) }: Readonly<Record<string, string>>,
): Promise<RunList> {
  if (pipeline === undefined || !isPipelineName(pipeline))
    throw new RequestProblem(
      'invalid-request',
      'pipeline must name a pipeline, as in /runs?pipeline=cifar10',
    );
  const most = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (most < 1 || most > MOST_RUNS)
    throw new RequestProblem('invalid-request', `limit must be 1..${MOST_RUNS}, is ${JSON.stringify(limit)}`);
  const { objects } = await store.listPage(bucketLayout.index(pipeline), { limit: most });
  const runs = objects.map(async ({ key }) => {
    const text = await store.readText(key);
    if (text === undefined) return [];
    const { schema: _, ...line } = RunSummary.parse(JSON.parse(text));
    return [line];
  });
  return { runs: (await Promise.all(runs)).flat() };
}

const Reported = z.object({
  status: z.string(),
  total: z.int(),
  correct: z.int().nullable(),
  errors: z.int(),
  accuracy: z.number().nullable(),
  costUsd: z.number().nullable(),
  gate: z.object({ verdict: z.enum(['passed', 'failed', 'none']) }),
});

async function describeRun(
  { pipeline = '', drop = '', generation = '' }: Readonly<Record<string, string>>,
  { store, links, linkSeconds, clock }: ApiServices,
): Promise<RunDetails> {
  const name = `${pipeline}/${drop}/${generation}`;
  const run = parseRunId(name);
  if (run === undefined)
    throw new RequestProblem(
      'unknown-run',
      'the path must be /runs/<pipeline>/<drop>/<generation> of a run that exists',
    );
  const text = await store.readText(bucketLayout.reportJson(run));
  if (text === undefined) {
    if ((await store.describe(bucketLayout.freezing(run))) === undefined)
      throw new RequestProblem(
        'unknown-run',
        `there is no run ${name}, or it still waits for its drop to become quiet`,
      );
    const nothing = { total: null, correct: null, errors: null, accuracy: null, costUsd: null, gate: null };
    return { run: name, status: 'running', ...nothing, links: {}, linksExpireAt: null };
  }
  const { gate, ...figures } = Reported.parse(JSON.parse(text));
  const expireAt = new Date(clock().getTime() + linkSeconds * 1000);
  return {
    run: toRunId(run),
    ...figures,
    gate: gate.verdict,
    links: await linksTo(store, run, links),
    linksExpireAt: expireAt.toISOString(),
  };
}

async function linksTo(
  store: ObjectStore,
  run: RunParts,
  links: PresignedLinks,
): Promise<Readonly<Record<string, string>>> {
  const files = [
    bucketLayout.reportHtml(run),
    bucketLayout.reportJson(run),
    bucketLayout.confusionMatrix(run),
    bucketLayout.errors(run),
    bucketLayout.receipt(run),
  ];
  // A run without labels has no matrix, one without errors no list of them.
  const there = await Promise.all(
    files.map(async (key) => ((await store.describe(key)) === undefined ? [] : [key])),
  );
  const entries = there.flat().map(async (key) => [key.split('/').at(-1) ?? key, await links(key)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
