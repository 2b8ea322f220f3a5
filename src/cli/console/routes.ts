import { userInfo } from 'node:os';
import type { ByPage } from '../../api/console/pages.ts';
import type { Place } from '../../api/console/place.ts';
import type { RunData } from '../../api/console/run-data.ts';
import type { RunsData } from '../../api/console/run-row.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import { compareData } from '../../app/overview/compare-data.ts';
import { compareTrainings } from '../../app/overview/compare-trainings.ts';
import { endpointRows } from '../../app/overview/endpoint-rows.ts';
import { liveCurves } from '../../app/overview/live-curves.ts';
import { newestMessages } from '../../app/overview/messages.ts';
import { pipelineRows } from '../../app/overview/pipeline-rows.ts';
import { runData } from '../../app/overview/run-data.ts';
import { runLog } from '../../app/overview/run-log.ts';
import { runPicture } from '../../app/overview/run-picture.ts';
import { endedRows, underWayRows } from '../../app/overview/run-rows.ts';
import { cancel } from '../../app/run/cancel.ts';
import { rerun } from '../../app/run/rerun.ts';
import { rescore } from '../../app/run/rescore.ts';
import { trainingLogs } from '../../aws/logs/training-log.ts';
import { runningWork } from '../../aws/sagemaker/running-work.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId, type RunParts } from '../../run/run-id.ts';
import type { RunKind } from '../../run/run-kind.ts';
import type { Application } from '../application.ts';
import { logsOf } from '../job-logs.ts';
import { sendFile, sendJson, sendReport } from './answer.ts';
import { draftRoutes } from './draft-routes.ts';
import type { Drafts } from './drafts.ts';
import { dropRoutes } from './drop-routes.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { stream } from './live.ts';
import { rememberedIndex } from './remembered-index.ts';
import { type Asked, type Route, route } from './route.ts';
import { sharedLooks } from './shared-looks.ts';

/** Runs that the list shows, and how many it waits for at first: more than are in sight. */
const LISTED_RUNS = 1_000;
const FIRST_ROWS = 30;
const LISTED_MESSAGES = 60;
/** Interval between looks in AWS, which limits the rate of its APIs, and on this machine. */
const AWS_INTERVAL_MS = 3_000;
const LOCAL_INTERVAL_MS = 700;

/** Addresses of the pages' data and actions: each is a use case of the application, with the services of the commands. */
export function consoleRoutes(application: Application, place: Place, drafts: Drafts): readonly Route[] {
  const store = rememberedIndex(application.store);
  const services = {
    ...application,
    machines: application.machines.runs,
    store,
    work: runningWork(),
    clock: () => new Date(),
    liveCurves: liveCurves(trainingLogs, () => new Date()),
  };
  const intervalMs = place.local ? LOCAL_INTERVAL_MS : AWS_INTERVAL_MS;
  const by = `${userInfo().username} in the console`;

  const looks = sharedLooks();
  const pipelines = looks.share(() => pipelineRows(services));
  const runs = async (readAtMost: number): Promise<RunsData> => {
    const [underWay, ended] = await Promise.all([
      underWayRows(services),
      endedRows(store, LISTED_RUNS, { readAtMost }),
    ]);
    return { runs: [...underWay, ...ended] };
  };
  const firstRuns = looks.share(() => runs(FIRST_ROWS));
  const allRuns = looks.share(() => runs(LISTED_RUNS));
  const endpoints = looks.share(() => endpointRows(services));
  // The first look of a process builds clients and opens connections: it begins before a browser asks.
  void firstRuns().catch(() => undefined);
  const isEnded = ({ endedAt }: Pick<RunData, 'endedAt'>): boolean => endedAt !== null;

  const pages: ByPage<readonly Route[]> = {
    drop: dropRoutes(store),
    new: draftRoutes(application, drafts, place.region),
    pipelines: [read('/api/pipelines', pipelines), live('/live/pipelines', pipelines, intervalMs)],
    pipeline: [],
    runs: [
      route('GET', '/live/runs', ({ response }) => {
        let look = firstRuns;
        const next = (): Promise<RunsData> => {
          const seen = look();
          look = allRuns;
          return seen;
        };
        const hasMore = (seen: RunsData): boolean => seen.runs.some(({ verdict }) => verdict === 'unread');
        return stream(response, next, { intervalMs, hasMore });
      }),
    ],
    run: [
      read('/api/runs/:run', ({ parts }) => runData(toRun(parts), services)),
      read('/api/runs/:run/log', ({ parts }) =>
        runLog(toRun(parts), { ...services, logs: logsOf(application), trainingLogs }),
      ),
      route('GET', '/api/runs/:run/picture', async ({ parts, query, response }) => {
        const { mediaType, bytes } = await runPicture(store, toRun(parts), query.get('key') ?? '');
        sendFile(response, { contentType: mediaType, body: bytes });
      }),
      route('GET', '/live/runs/:run', ({ parts, response }) => {
        const run = toRun(parts);
        return stream(response, () => runData(run, services), { intervalMs, isOver: isEnded });
      }),
      route('GET', '/report/:run', async ({ parts, query, response }) => {
        const page = await store.readText(bucketLayout.reportHtml(toRun(parts)));
        if (page === undefined) throw new RequestProblem('unknown-run', 'the run has no report');
        sendReport(response, page, query.get('framed') === '1');
      }),
      act('POST', '/api/runs/:run/cancel', async ({ parts }) => {
        await cancel({ run: toRun(parts), by }, services);
        return {};
      }),
      act('POST', '/api/runs/:run/rerun', ({ parts }) => rerun({ run: toRun(parts) }, services)),
      act('POST', '/api/runs/:run/rescore', ({ parts }) => rescore({ run: toRun(parts) }, services)),
      act('POST', '/api/runs/:run/start', async ({ parts }) => {
        await store.write(bucketLayout.dropReady(toRun(parts)), '');
        return {};
      }),
    ],
    compare: [
      read('/api/compare', ({ query }) => compareData(store, toRuns(query, 'inference'))),
      route('GET', '/live/trainings', ({ query, response }) => {
        const trainings = toRuns(query, 'training');
        return stream(response, () => compareTrainings(trainings, services), {
          intervalMs,
          isOver: (seen) => seen.trainings.every(isEnded),
        });
      }),
    ],
    try: [],
    endpoints: [...endpointRoutes(application), live('/live/endpoints', endpoints, intervalMs)],
    messages: [read('/api/messages', () => newestMessages(store, LISTED_MESSAGES))],
  };
  const routes = [read('/api/place', async () => place), ...Object.values(pages).flat()];
  return routes.map((route) =>
    route.method === 'GET'
      ? route
      : { ...route, answer: (asked) => route.answer(asked).finally(() => looks.forget()) },
  );
}

function read(pattern: string, look: (asked: Asked) => Promise<unknown>): Route {
  return route('GET', pattern, async (asked) => sendJson(asked.response, await look(asked)));
}

function live(pattern: string, look: () => Promise<unknown>, intervalMs: number): Route {
  return route('GET', pattern, ({ response }) => stream(response, look, { intervalMs }));
}

/** An action. Its answer names the thing that it has begun. */
function act(method: 'POST' | 'DELETE', pattern: string, begin: (asked: Asked) => Promise<unknown>): Route {
  return { method, pattern, answer: async (asked) => sendJson(asked.response, await begin(asked), 202) };
}

/** The runs of a comparison. */
function toRuns(query: URLSearchParams, kind: RunKind): RunParts[] {
  const runs = query.getAll('run').map((run) => toRun({ run }));
  if (runs.every((run) => run.kind === kind)) return runs;
  throw new RequestProblem('invalid-request', 'runs and trainings are not compared with each other');
}

function toRun({ run = '' }: Readonly<Record<string, string>>): RunParts {
  const parts = parseRunId(run);
  if (parts !== undefined) return parts;
  throw new RequestProblem('unknown-run', `${run} is not the name of a run`);
}
