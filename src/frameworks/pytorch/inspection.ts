import type { TorchScriptModes } from '../../model/torchscript.ts';
import type { Inspection } from '../inspection.ts';

/** Models and scripts run in the PyTorch that `inferdrop containers install` installs. */
export const pytorch: Inspection = {
  runs: ({ modes }, toInstall) => [
    `model and handler: in PyTorch; they run as you: use archives that you trust (${toInstall('pytorch')})`,
    ...[...modes].flatMap(([file, modes]) => answersOf(file, modes)),
  ],
  served: () => null,
  unmeasured: ['PyTorch', 'after inferdrop containers install pytorch'],
};

function answersOf(file: string, modes: TorchScriptModes | null): string[] {
  if (modes === null)
    return [
      `answers: not known whether ${file} was saved in training mode, since its code isn't in its last megabyte: call ` +
        'model.eval() before you save it',
    ];
  const { random, training } = modes;
  const lines: string[] = [];
  if (random.length > 0)
    lines.push(
      `answers: ${file} computes with ${random.join(', ')}: two equal requests may have different answers`,
    );
  if (training.length > 0)
    lines.push(
      `answers: ${file} was saved in training mode (${training.join(', ')}): a model_fn has to call eval(), which a traced model ignores`,
    );
  return lines;
}
