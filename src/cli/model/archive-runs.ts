import { describeEngine } from '@inferdrop/model-container/engine-environment';
import { RUN_IN_TENSORFLOW } from '@inferdrop/savedmodel/servable-model';
import { newestContainer, newestPatched } from '../../model/end-of-patch.ts';
import type { Framework, TrainingFramework } from '../../model/framework-name.ts';
import type { TorchScriptModes } from '../../model/torchscript.ts';
import type { InspectedOnnx } from './inspect-onnx.ts';
import type { InspectedModel } from './inspect-saved-model.ts';
import type { JudgedScripts } from './script-problems.ts';

/** Script of an archive, and the packages that it brings or asks for. */
export interface InspectedHandler {
  readonly script: string | null;
  readonly requirements: readonly string[];
  readonly hasLib: boolean;
}

/** Where the models and the handler of an archive run on this machine, by framework. */
export const RUNS: Readonly<
  Record<
    Framework,
    (archive: {
      readonly models: readonly InspectedModel[];
      readonly handler: InspectedHandler;
      readonly onnx: InspectedOnnx | null;
      readonly scripts: JudgedScripts;
      readonly modes: ReadonlyMap<string, TorchScriptModes | null>;
    }) => string[]
  >
> = {
  tensorflow: ({ models, handler, scripts }) => tensorflowRuns(models, handler, scripts),
  onnx: ({ onnx, handler }) => onnxRuns(onnx, handler.script !== null),
  pytorch: ({ modes }) => [
    `model and handler: in PyTorch; they run as you: use archives that you trust (${toInstall('pytorch')})`,
    ...[...modes].flatMap(([file, modes]) => answersOf(file, modes)),
  ],
};

function answersOf(file: string, modes: TorchScriptModes | null): string[] {
  if (modes === null)
    return [
      `answers: not known whether ${file} was saved in training mode, since its code isn't in its last megabyte: call model.eval() before you save it`,
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

function onnxRuns(onnx: InspectedOnnx | null, hasScript: boolean): string[] {
  if (hasScript)
    return [
      `model and handler: in PyTorch; they run as you: use archives that you trust (${toInstall('pytorch')}); inferdrop's own handler needs no Python`,
    ];
  if (onnx === null) return ['model: none that can be served'];
  return [
    onnx.refused === null
      ? 'model: in onnxruntime, no Python needed; on AWS in the PyTorch container, with a handler that inferdrop adds'
      : `model: not in onnxruntime: ${onnx.refused}`,
  ];
}

function tensorflowRuns(
  models: readonly InspectedModel[],
  handler: InspectedHandler,
  { refused: missingHere, remarks }: JudgedScripts,
): string[] {
  const signatures = models.flatMap(({ damage, signatures }) => (damage === null ? signatures : []));
  const refused = signatures.filter(({ unsupported }) => unsupported.length > 0);
  const missing = [...new Set(refused.flatMap(({ unsupported }) => unsupported))].sort();
  const special = new Set(refused.flatMap(({ remedy }) => remedy ?? []));
  special.delete(RUN_IN_TENSORFLOW);
  const untried = signatures.find((signature) => signature.untried !== null)?.untried ?? undefined;
  const { script, requirements } = handler;
  const engine =
    signatures.length === 0
      ? 'model: none that can be served'
      : missing.length === 0
        ? `model: in onnxruntime, no Python needed (converted${untried === undefined ? ' and run once on zeros' : `; not tried, since zeros do not fit: ${untried}`})`
        : special.size > 0
          ? `model: not in onnxruntime, because of ${missing.join(', ')}: ${[...special].join('; ')}`
          : `model: in TensorFlow only, because the converter does not know ${missing.join(', ')}: start with --engine python (${toInstall('tensorflow')})`;
  if (script === null) return [engine, 'handler: none; JSON and CSV requests are converted by the container'];
  if (requirements.length > 0)
    return [
      engine,
      `handler: in Python only; it runs as you, and pip installs ${requirements.join(', ')}: start with --handlers python if you trust it`,
    ];
  return [
    engine,
    ...(missingHere.length === 0
      ? ['handler: in Pyodide, which cannot reach your files and programs; no Python needed']
      : missingHere.map(
          ({ text, alternative }) =>
            `handler: not in Pyodide: ${text}: start with --handlers python; it then runs as you${alternative && `, or ${alternative}`}`,
        )),
    ...remarks.map((remark) => `handler: ${remark}`),
  ];
}

/** AWS's newest container of a framework, in a sentence. */
export function containerRuns(framework: Framework, now: Date): string {
  return `pipeline: ${framework} ${newestPatched(framework).version} is ${newestContainer(framework, now)}`;
}

function toInstall(name: TrainingFramework): string {
  return describeEngine(name).installed
    ? 'installed'
    : `not installed: run "inferdrop containers install ${name}"`;
}
