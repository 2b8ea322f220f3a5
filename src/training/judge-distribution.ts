import { TRAINING } from '../frameworks/trainings.ts';
import { familyOf } from '../model/instance-families.ts';
import type { TrainingSettings } from '../pipeline/training-settings.ts';
import type { Problem } from '../problem/problem.ts';
import type { AskedChannel } from './asked-channel.ts';
import type { ChannelInputs } from './judge-channels.ts';
import { settingProblem } from './setting-problem.ts';

/** Why the hosts cannot work together as asked. */
export function distributionProblems({ distribution, framework, entryPoint }: TrainingSettings): Problem[] {
  if (distribution === null) return [];
  for (const [kind, reason] of Object.entries(TRAINING[framework].refusedDistributions))
    if (kind in distribution) return [settingProblem('distribution', distribution, reason)];
  if ('torchDistributed' in distribution && !entryPoint.endsWith('.py'))
    return [
      settingProblem(
        'entryPoint',
        entryPoint,
        'must be a .py file for torchDistributed: torchrun starts only Python',
      ),
    ];
  return [];
}

/** Notes on hosts that do less than the settings suggest. */
export function hostNotes(
  { instances: { count, types }, distribution }: TrainingSettings,
  channels: readonly AskedChannel[],
  inputs: ReadonlyMap<string, ChannelInputs>,
): string[] {
  const notes: string[] = [];
  if (distribution !== null && 'parameterServer' in distribution && count === 1)
    notes.push('with one host SageMaker starts no parameter server: only the script runs');
  const hasGpu = types.some((type) => familyOf(type).processor === 'gpu');
  if (distribution !== null && 'torchDistributed' in distribution && !hasGpu)
    notes.push('torchrun starts one process a host where there is no GPU');
  for (const { name, distribution: dealt } of channels) {
    const objects = inputs.get(name)?.objects ?? 0;
    if (dealt === 'ShardedByS3Key' && objects > 0 && objects < count)
      notes.push(`the channel ${name} has ${objects} objects for ${count} hosts: some hosts get none`);
  }
  return notes;
}
