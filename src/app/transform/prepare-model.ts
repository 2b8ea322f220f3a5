import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { kindFor } from '../../endpoints/kinds.ts';
import { givenArchive, servedArchive } from '../../plan/endpoint/served-archive.ts';
import { Condition, isCondition } from '../../problem/conditions.ts';
import { RunParts } from '../../run/run-id.ts';
import { parseS3Uri } from '../../text/s3-uri.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import type { Preparers } from '../engine/engine.ts';
import type { ConvertModel } from '../engine/lambda/predicting-model.ts';
import { planJson } from '../records/plan.ts';
import { refusalJson } from '../records/refusal.ts';
import { keepArchive } from '../run/keep-archive.ts';
import { useCase } from '../use-case.ts';

interface PrepareModelServices {
  readonly store: ObjectStore;
  readonly prepare: Preparers;
  readonly convertModel: ConvertModel;
}

/**
 * State `PrepareModel`: stores the archive of the run under its digest, converts it where a function is to open it, and
 * has the plan's engine make a model of it; an equal one is reused.
 *
 * @throws {ModelChanged}
 * @throws {ModelRefused} before any job, and `ModelNeedsContainer`, unless PlanRun has chosen the engine and may take another one
 * @throws {ModelNameTaken}
 */
export const prepareModel = useCase({
  /** Sent by state `PrepareModel`; the model is the plan's. */
  input: z.object({ run: RunParts }),
  /** Name of the model, for people: jobs take it from the plan. */
  output: z.object({
    /** Null if PlanRun chose functions, which can't run it: the run is planned again. */
    modelName: z.string().nullable(),
  }),
})(async ({ run }, { store, prepare, convertModel }: PrepareModelServices) => {
  const plan = await planJson(run).require(store);
  const { startsContainer } = engineRules(plan.engine);
  for (const archive of [plan.model, ...(plan.model.served === null ? [] : [plan.model.served])]) {
    const { artifact, artifactVersion: versionId, artifactEtag: etag, sha256 } = archive;
    const { bucket = '', key = '' } = parseS3Uri(artifact) ?? {};
    const source = { bucket, key, etag, ...(versionId !== null && { versionId }) };
    if (!(await keepArchive(store, sha256, source)))
      throw new Condition(
        'ModelChanged',
        `${artifact} was replaced while the run was being planned: run it again with inferdrop rerun`,
      );
  }
  if (plan.endpoint !== null && kindFor(plan.endpoint).runsInFunctions)
    await convertModel(servedArchive(plan.model).sha256, 'endpoint');
  try {
    if (!startsContainer) await convertModel(plan.model.sha256, 'run');
    return { modelName: await prepare[plan.engine.name](run, plan) };
  } catch (error) {
    if (!plan.isEngineChosen || startsContainer || !isCondition(error, 'ModelNeedsContainer')) throw error;
    const { createdAt: plannedAt, model } = plan;
    const { message: reason } = error.cause instanceof Error ? error.cause : error;
    const before = await refusalJson(run).read(store);
    // If the plan was already made again for functions, the run fails.
    if (before !== undefined && before.plannedAt !== plannedAt) throw error;
    // The digest that planning reads: the archive before a handler was added to it.
    const { sha256 } = givenArchive(model);
    const { artifact } = model;
    await refusalJson(run).write(store, { schema: 1, plannedAt, sha256, artifact, reason });
    return { modelName: null };
  }
});
