import type { RunDetails } from '../../api/api-schemas.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { PresignedLinks } from '../../aws/s3/presigned-links.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId, type RunParts, toRunId } from '../../run/run-id.ts';
import { isKeyTooLong } from '../../text/key-length.ts';
import { reportFigures } from '../records/run-index.ts';

/** Services of the routes that describe a run. */
export interface RunServices {
  readonly store: ObjectStore;
  readonly links: PresignedLinks;
  /** Lifetime of the presigned links. */
  readonly linkSeconds: number;
  readonly clock: () => Date;
}

/**
 * Route `GET /runs/{pipeline}/{drop}/{generation}`: the status of a run, with links to its report.
 *
 * @param requireOpen throws if the caller may not use the pipeline
 * @throws {RequestProblem} `unknown-run`
 */
export async function describeRun(
  { pipeline = '', drop = '', generation = '' }: Readonly<Record<string, string>>,
  { store, links, linkSeconds, clock }: RunServices,
  requireOpen: (pipeline: string) => void,
): Promise<RunDetails> {
  const name = `${pipeline}/${drop}/${generation}`;
  const run = parseRunId(name);
  // A "/" within a part would name a training; and S3 refuses keys that are longer than an object's can be.
  if (run?.pipeline !== pipeline || isKeyTooLong(bucketLayout.confusionMatrix(run)))
    throw new RequestProblem(
      'unknown-run',
      'the path must be /runs/<pipeline>/<drop>/<generation> of a run that exists',
    );
  requireOpen(run.pipeline);
  const report = await reportFigures(run).read(store);
  if (report === undefined) {
    if ((await store.describe(bucketLayout.freezing(run))) === undefined)
      throw new RequestProblem(
        'unknown-run',
        `run ${name} does not exist, or still waits for its drop to become quiet`,
      );
    const nothing = { total: null, correct: null, errors: null, accuracy: null, costUsd: null, gate: null };
    return { run: name, status: 'running', ...nothing, links: {}, linksExpireAt: null };
  }
  const { gate, ...figures } = report;
  const expireAt = new Date(clock().getTime() + linkSeconds * 1000);
  return {
    run: toRunId(run),
    ...figures,
    gate: gate.verdict,
    links: await linksTo(store, filesOf(run), links),
    linksExpireAt: expireAt.toISOString(),
  };
}

function filesOf(run: RunParts): readonly string[] {
  return [
    bucketLayout.reportHtml(run),
    bucketLayout.reportJson(run),
    bucketLayout.confusionMatrix(run),
    bucketLayout.errors(run),
    bucketLayout.receipt(run),
  ];
}

/** Links to the existing files, by their names. */
export async function linksTo(
  store: ObjectStore,
  files: readonly string[],
  links: PresignedLinks,
): Promise<Readonly<Record<string, string>>> {
  // A run without labels has no matrix, one without errors no list of them.
  const there = await Promise.all(
    files.map(async (key) => ((await store.describe(key)) === undefined ? [] : [key])),
  );
  const entries = there.flat().map(async (key) => [key.split('/').at(-1) ?? key, await links(key)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
