import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import { type Candidate, climb, type Step, type TrialSettings, type Tried } from '../../probe/climb.ts';
import { addSpeeds } from '../records/speeds.ts';
import type { ProbedDrop } from './newest-drop.ts';
import { runTrial, type TrialEnd, type TrialServices } from './run-trial.ts';

/** The question that a probe answers. */
interface AskedProbe {
  readonly drop: ProbedDrop;
  readonly candidates: readonly Candidate[];
  readonly inputs: number;
  /** US dollars that all trials may cost together. */
  readonly maxCostUsd: number;
  /** Quote of one trial. */
  readonly quoteUsd: (settings: TrialSettings) => number;
  readonly signal: AbortSignal;
}

/** Services of a probe. */
export interface ProbeServices extends TrialServices {
  readonly sagemaker: Pick<SageMaker, 'deleteModel'>;
  /** Called as each trial begins and finishes. */
  readonly watch: {
    begins(candidate: Candidate, settings: TrialSettings): void;
    ended(candidate: Candidate, end: TrialEnd): void;
  };
}

/** Trials of one candidate, and their result. */
export interface ProbedCandidate {
  readonly candidate: Candidate;
  readonly trials: readonly TrialEnd[];
  /** The settings to use; null if none has worked. */
  readonly best: TrialEnd | null;
}

/** The result of a probe; `stopped` says why it has not tried all. */
export interface Probed {
  readonly candidates: readonly ProbedCandidate[];
  readonly spentUsd: number;
  readonly stopped: 'interrupted' | 'cost' | null;
}

/**
 * Climbs to the fastest settings of each candidate, one trial after the other, within a cost. Speeds are stored for later quotes,
 * even if it's stopped; models that only trials have used are deleted.
 */
export async function probe(asked: AskedProbe, services: ProbeServices): Promise<Probed> {
  const { candidates, signal } = asked;
  const found: ProbedCandidate[] = [];
  let spentUsd = 0;
  let stopped: Probed['stopped'] = null;
  try {
    for (const candidate of candidates) {
      const trials: TrialEnd[] = [];
      let best: TrialEnd | null = null;
      for (;;) {
        const step = climb(candidate, trials.map(toTried));
        best = bestOf(trials, step);
        if ('best' in step) break;
        const leftUsd = asked.maxCostUsd - spentUsd;
        if (signal.aborted) stopped = 'interrupted';
        else if (asked.quoteUsd(step.next) > leftUsd) stopped = 'cost';
        if (stopped !== null) break;
        services.watch.begins(candidate, step.next);
        const trial = { inputs: asked.inputs, transform: step.next, maxCostUsd: leftUsd };
        const end = await runTrial(asked.drop, trial, signal, services);
        spentUsd += end.costUsd ?? asked.quoteUsd(step.next);
        if (signal.aborted && end.speed === null) continue;
        trials.push(end);
        services.watch.ended(candidate, end);
      }
      found.push({ candidate, trials, best });
      if (stopped !== null) break;
    }
  } finally {
    await keepSpeeds(asked, services, found);
  }
  return { candidates: found, spentUsd, stopped };
}

async function keepSpeeds(
  { drop: { run, plan } }: AskedProbe,
  { store, sagemaker }: ProbeServices,
  found: readonly ProbedCandidate[],
): Promise<void> {
  const trials = found.flatMap((one) => one.trials);
  const speeds = trials.flatMap(({ speed }) => (speed === null ? [] : [speed]));
  if (speeds.length > 0) await addSpeeds(store, run.pipeline, speeds);
  const models = new Set(trials.map(({ model }) => model));
  for (const name of models) if (name !== null && name !== plan.model.name) await sagemaker.deleteModel(name);
}

function toTried({ settings, speed }: TrialEnd): Tried {
  return { settings, inputsPerSecond: speed?.inputsPerSecond ?? null };
}

/** The trial with a climb's final settings; while the climb goes on, the fastest trial so far. */
function bestOf(trials: readonly TrialEnd[], step: Step): TrialEnd | null {
  if ('best' in step) return trials.find(({ settings }) => settings === step.best?.settings) ?? null;
  const speedOf = ({ speed }: TrialEnd): number => speed?.inputsPerSecond ?? 0;
  return trials.filter(({ speed }) => speed !== null).toSorted((a, b) => speedOf(b) - speedOf(a))[0] ?? null;
}
