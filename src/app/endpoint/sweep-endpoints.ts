import * as z from 'zod';
import type { InvocationMetrics } from '../../aws/account/invocation-metrics.ts';
import type { Topic } from '../../aws/messages/topic.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { EndpointDescription, Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { Executions } from '../../aws/states/executions.ts';
import { judgeLifetime, type Judgment } from '../../endpoint/lifetime.ts';
import { isUnderWay } from '../../endpoint/progress.ts';
import type { Served } from '../../endpoint/served.ts';
import { candidateOf, isOurs } from '../../endpoint/tags.ts';
import { bucketLayout, folderName } from '../../run/bucket-layout.ts';
import { changeJson, isRunning, servedJson } from '../records/endpoint.ts';
import { useCase } from '../use-case.ts';
import type { EndpointScope } from './endpoint-scope.ts';
import { repairChange } from './repair-change.ts';
import { startEndpointChange } from './start-endpoint-change.ts';
import { tellOfEndpoint } from './tell-of-endpoint.ts';

interface SweepEndpointsServices {
  readonly store: ObjectStore;
  readonly endpoints: Pick<Endpoints, 'names' | 'describe' | 'tagsOf' | 'delete'>;
  readonly metrics: InvocationMetrics;
  readonly topic: Topic;
  /** Executions of the state machine `endpoint`. */
  readonly executions: Pick<Executions, 'start' | 'describe'>;
  readonly clock: () => Date;
  readonly scope: EndpointScope;
  readonly warn: (message: string, facts: Readonly<Record<string, unknown>>) => void;
}

/**
 * On a schedule: warns of endpoints that are about to expire or are idle, deletes those that it has warned about, and undoes what a dead
 * execution left: its change and its candidate. An endpoint without this application's tags is skipped.
 */
export const sweepEndpoints = useCase({
  /** The constant input of the rule `SweepEndpointsRule` in infra/endpoint/machine.yml. */
  input: z.object({ check: z.literal('endpoints') }),
  /** Counts of one sweep; what failed is also in the log, and is tried again by the next. */
  output: z.object({
    /** Endpoints of this application. */
    endpoints: z.int().nonnegative(),
    warned: z.int().nonnegative(),
    deleted: z.int().nonnegative(),
    /** Changes with a dead execution. */
    restored: z.int().nonnegative(),
    /** Candidates that no execution tests any more. */
    strays: z.int().nonnegative(),
    failed: z.int().nonnegative(),
  }),
})(async (_input, services: SweepEndpointsServices) => {
  const { store, endpoints, scope, warn } = services;
  const swept = { endpoints: 0, warned: 0, deleted: 0, restored: 0, strays: 0, failed: 0 };
  const guarded = async (
    about: Readonly<Record<string, string>>,
    act: () => Promise<void>,
  ): Promise<void> => {
    try {
      await act();
    } catch (error) {
      // One endpoint must not keep the sweep from the others; the number of failures is in the output.
      swept.failed += 1;
      warn('endpoint could not be swept', { ...about, error });
    }
  };
  for await (const folder of store.listFolders(bucketLayout.endpoints())) {
    const pipeline = folderName(folder);
    await guarded({ pipeline }, async () => {
      if (await restoreIfDead(pipeline, services)) swept.restored += 1;
    });
  }
  for await (const name of endpoints.names(`${scope.prefix}-`)) {
    await guarded({ endpoint: name }, async () => {
      const found = await endpoints.describe(name);
      if (found === undefined || found.status === 'Deleting') return;
      const tags = await endpoints.tagsOf(found.arn);
      const pipeline = tags['inferdrop:pipeline'];
      if (!isOurs(tags, store.bucket) || pipeline === undefined) return;
      if (candidateOf(tags) !== undefined) {
        if (!isUnderWay(found) && (await deleteIfStray(name, tags, services))) swept.strays += 1;
        return;
      }
      swept.endpoints += 1;
      const { verdict } = await sweepEndpoint(pipeline, found, services);
      if (verdict === 'warn') swept.warned += 1;
      if (verdict === 'delete') swept.deleted += 1;
    });
  }
  return swept;
});

async function sweepEndpoint(
  pipeline: string,
  found: EndpointDescription,
  services: SweepEndpointsServices,
): Promise<Judgment> {
  const { store, executions, clock } = services;
  const keep = { verdict: 'keep' } as const;
  const version = await servedJson(pipeline).open(store);
  if (version === undefined || (await changeJson(pipeline).read(store)) !== undefined) return keep;
  const { value: served, etag } = version;
  if (served.live === null) return keep;
  const judgment = judgeLifetime(await lifeOf(served, served.live, found, services));
  if (judgment.verdict === 'warn') {
    const { reason } = judgment;
    const { idleHours, hourlyUsd, maxHourlyUsd } = served;
    const dueAt = new Date(judgment.dueAt).toISOString();
    const news = { outcome: 'ending', reason, dueAt, idleHours, hourlyUsd, maxHourlyUsd } as const;
    await tellOfEndpoint(pipeline, news, services);
    // A deployment that has begun meanwhile has written its own facts, and restarts the lifetime.
    await servedJson(pipeline).replace(
      store,
      { ...served, warnedAt: clock().toISOString(), warnedOf: reason },
      etag,
    );
  }
  if (judgment.verdict === 'delete') {
    const reason =
      judgment.reason === 'idle'
        ? `it had not been invoked for ${served.idleHours ?? 0} hours (endpoint.idleHours)`
        : 'its time was up (endpoint.ttlHours)';
    const key = `${judgment.reason} ${served.deployedAt} ${served.warnedAt ?? ''}`;
    const { deployedAt } = served;
    await startEndpointChange(executions, { action: 'delete', pipeline, reason, deployedAt }, key);
  }
  return judgment;
}

async function lifeOf(
  served: Served,
  live: string,
  found: EndpointDescription,
  { metrics, clock }: SweepEndpointsServices,
) {
  const now = clock();
  const deployedAt = new Date(served.deployedAt);
  const looksAtUse = served.expiresAt !== null && served.idleHours !== null;
  const lastInvokedAt = looksAtUse
    ? await metrics.lastInvokedAt(found.name, live, { from: deployedAt, to: now })
    : undefined;
  return {
    now: now.getTime(),
    deployedAt: deployedAt.getTime(),
    expiresAt: served.expiresAt === null ? null : Date.parse(served.expiresAt),
    idleHours: served.idleHours,
    lastInvokedAt: lastInvokedAt?.getTime(),
    warnedAt: served.warnedAt === null ? null : Date.parse(served.warnedAt),
    warnedOf: served.warnedOf,
  };
}

/** Repairs a change with a vanished execution, if the event of the execution's end hasn't already. */
async function restoreIfDead(
  pipeline: string,
  { store, executions, clock }: SweepEndpointsServices,
): Promise<boolean> {
  const change = await changeJson(pipeline).read(store);
  if (change === undefined || (await isRunning(executions, change.executionArn))) return false;
  const reason = `the execution that was to ${change.action} it is over and has left it half done`;
  // A new key for each sweep: an attempt that died before it took over the change must not be the last.
  const key = `${change.executionArn} ${clock().toISOString()}`;
  await repairChange(executions, pipeline, change, { reason, key });
  return true;
}

/** A candidate outlives its execution only if that died and was not repaired. */
async function deleteIfStray(
  name: string,
  tags: Readonly<Record<string, string>>,
  { endpoints, executions, clock }: SweepEndpointsServices,
): Promise<boolean> {
  const isOver = Date.parse(tags['inferdrop:expires-at'] ?? '') <= clock().getTime();
  if (!isOver && (await isRunning(executions, candidateOf(tags) ?? ''))) return false;
  await endpoints.delete(name);
  return true;
}
