import * as z from 'zod';
import type { Frozen } from '../../drop/frozen.ts';
import { EndpointSettings } from '../../pipeline/endpoint-settings.ts';
import { LimitSettings } from '../../pipeline/limit-settings.ts';
import { forCandidate } from '../../plan/candidate.ts';
import { writtenProblems } from '../../plan/judge-configuration.ts';
import type { Plan } from '../../plan/plan.ts';
import { forTrial } from '../../plan/trial.ts';
import { RunParts } from '../../run/run-id.ts';
import { stageAgain } from '../inputs/stage-again.ts';
import { frozenJson } from '../records/drop.ts';
import { copyInputs } from '../records/inputs.ts';
import { useCase } from '../use-case.ts';
import type { AskedRun, PlanServices } from './judge-run.ts';
import type { UnreadTars } from './open-tars.ts';
import { takeTurn, type Waiting } from './pipeline-limits.ts';
import { planContinuation } from './plan-continuation.ts';
import { planDrop } from './plan-drop.ts';
import { planReplay } from './plan-replay.ts';
import { planRescore } from './plan-rescore.ts';
import { readConfiguration } from './read-configuration.ts';

const Planned = z.object({
  status: z.literal('planned'),
  jobs: z.int().min(1),
  /** The engine that carries them out. */
  engine: z.enum(['sagemaker', 'lambda']).default('sagemaker'),
  objects: z.int().min(1),
  /** Null if the price of the instance is not known. */
  costQuoteUsd: z.number().nullable(),
  /** Whether an endpoint is deployed once the run's gate has been judged. */
  deploy: EndpointSettings.shape.deploy.unwrap(),
});
/** A run that scores the predictions of another one again has no job. */
const Predicted = Planned.omit({ jobs: true, engine: true }).extend({ status: z.literal('predicted') });

/**
 * State `PlanRun`: resolves pipeline.json and job.json into a plan and writes the inputs of each job.
 *
 * SageMaker has not been called yet, and all problems are reported together. Where the pipeline has its maximum of runs
 * under way, nothing is read, and the run waits.
 *
 * @throws {PlanRefused} after the problems have been written to the run's problems.json
 */
export const planRun = useCase({
  /** Sent by state `PlanRun`, and again after each wait for a turn, and once tars are opened. */
  input: z.object({ run: RunParts }),
  /** `waiting`: the pipeline has `limits.maxConcurrentRuns` under way, or other runs were faster to write its ledger. `index`: tars are to be opened. */
  output: z.discriminatedUnion('status', [
    Planned,
    Predicted,
    z.object({ status: z.literal('waiting'), waitSeconds: z.int().positive() }),
    z.object({ status: z.literal('index'), tars: z.int().positive() }),
  ]),
})(async ({ run }, services: PlanServices) => {
  const { store, clock, settings } = services;
  const [frozen, read] = await Promise.all([
    frozenJson(run).require(store),
    readConfiguration(store, run, settings.readBuckets),
  ]);
  const configuration = forTrial(forCandidate(read, frozen.candidate, store.bucket), frozen.trial);
  const written = writtenProblems(run.drop, frozen.problems, configuration);
  const limits = configuration.config?.limits ?? LimitSettings.parse({});
  const { origin } = frozen;
  const isRefused =
    origin.mode !== 'replay' && configuration.problems.length + (frozen.problems ?? []).length > 0;
  // A run that judges a candidate uses the place of its training, which waits for it; a rescore has no job.
  const hasPlace = isRefused || frozen.candidate !== undefined || origin.mode === 'rescore';
  const turn = hasPlace ? 'taken' : await takeTurn(store, run, limits, clock());
  if (turn !== 'taken') return { status: 'waiting', ...turn };
  const planned = await planAs(origin, { run, frozen, configuration, written }, limits, services);
  if ('waitSeconds' in planned) return { status: 'waiting', ...planned };
  if ('unread' in planned) return { status: 'index', tars: planned.unread };
  const { jobs, objects, cost, endpoint, predictions } = planned;
  const facts = { objects, costQuoteUsd: cost.quoteUsd, deploy: endpoint?.deploy ?? 'never' } as const;
  return predictions === null
    ? { status: 'planned', jobs: jobs.length, engine: planned.engine.name, ...facts }
    : { status: 'predicted', ...facts };
});

async function planAs(
  origin: Frozen['origin'],
  asked: AskedRun,
  limits: LimitSettings,
  services: PlanServices,
): Promise<Plan | Waiting | UnreadTars> {
  if (origin.mode === 'drop' || origin.mode === 'rerun') return planDrop(asked, services);
  const { run, written } = asked;
  const { store } = services;
  const of = RunParts.parse(origin.of);
  // What the other run has opened is opened, but for copies of it.
  await copyInputs(store, run, of);
  const isRefused = origin.mode !== 'replay' && written.length > 0;
  const staged = isRefused
    ? { usd: 0 }
    : await stageAgain(store, { run, of, isSent: origin.mode !== 'rescore' });
  if ('unread' in staged) return staged;
  switch (origin.mode) {
    case 'replay':
      return planReplay({ run, of: origin.of, limits }, services);
    case 'rescore':
      return planRescore(asked, { of: origin.of, staged }, services);
    case 'continue':
      return planContinuation(asked, { of: origin.of, staged }, services);
  }
}
