import type { EndpointRow } from '../../api/console/endpoint-row.ts';
import type { PipelineRow, PipelinesData } from '../../api/console/pipeline-row.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { closeEnded } from '../../plan/decide/pipeline-ledger.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { isTrial } from '../../run/generation.ts';
import type { ServedPlaces } from '../endpoint/list-served.ts';
import { configuredPipelines } from '../records/configured-pipelines.ts';
import { ledgerJson } from '../records/limits.ts';
import { LISTED_RUNS, listRuns, readEntries, type RunSummary } from '../records/run-index.ts';
import { endpointRows } from './endpoint-rows.ts';
import { type RunRowServices, toEndedRow, underWayRows } from './run-rows.ts';

/** Services of the first page. */
export interface PipelineRowServices extends RunRowServices, ServedPlaces {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

/** Number of a pipeline's runs with their accuracy drawn. */
const DRAWN_RUNS = 24;

/** Every pipeline with its last runs, what serves it, and the cost of the day; and the runs under way. */
export async function pipelineRows(services: PipelineRowServices): Promise<PipelinesData> {
  const { store, clock } = services;
  const [names, endpoints, underWay] = await Promise.all([
    configuredPipelines(store),
    endpointRows(services),
    underWayRows(services),
  ]);
  const now = clock();
  const pipelines = await Promise.all(names.map((name) => toRow(store, name, endpoints, now)));
  return { underWay, pipelines };
}

async function toRow(
  store: ObjectStore,
  pipeline: string,
  endpoints: readonly EndpointRow[],
  now: Date,
): Promise<PipelineRow> {
  const [text = '', { drawn, trials }, ledger] = await Promise.all([
    store.readText(bucketLayout.pipelineConfig(pipeline)),
    newestOf(store, pipeline),
    ledgerJson(pipeline).read(store),
  ]);
  const parsed = parsePipelineConfig(text);
  const config = 'value' in parsed ? parsed.value : parsed.repaired;
  return {
    pipeline,
    settings: config === undefined ? null : toSettings(config),
    runs: drawn.map(toEndedRow),
    endpoint: endpoints.find((one) => one.pipeline === pipeline) ?? null,
    // While a pipeline rests, its ledger is not written: the index tells which of its runs have ended since.
    todayUsd:
      ledger === undefined
        ? 0
        : closeEnded(ledger, new Map([...drawn, ...trials].map(({ run, costUsd }) => [run, costUsd])), now)
            .spentUsd,
  };
}

/** The newest runs of a pipeline and, separately, the trials of its probes, which only have a cost. */
async function newestOf(store: ObjectStore, pipeline: string) {
  const listed = await listRuns(store, 'inference', pipeline, LISTED_RUNS);
  const read = (wanted: boolean): Promise<RunSummary[]> => {
    const some = listed.filter(({ run }) => isTrial(run.generation) === wanted);
    return Array.fromAsync(readEntries(store, some.slice(0, DRAWN_RUNS)));
  };
  const [drawn, trials] = await Promise.all([read(false), read(true)]);
  return { drawn, trials };
}

function toSettings({
  model,
  labels,
  training,
  gate,
  limits,
  drop,
  endpoint,
  transform,
  columns,
}: PipelineConfig): PipelineRow['settings'] {
  return {
    framework: model.framework,
    frameworkVersion: model.frameworkVersion,
    classes: Array.isArray(labels.classes) ? labels.classes.length : null,
    trains: training !== null,
    minAccuracy: gate?.minAccuracy ?? null,
    maxCostUsdPerDay: limits.maxCostUsdPerDay,
    maxCostUsd: limits.maxCostUsd,
    quietSeconds: drop.quietSeconds,
    deploy: endpoint.deploy,
    contentType: transform.contentType,
    splitType: transform.splitType,
    opensTables: columns !== null,
  };
}
