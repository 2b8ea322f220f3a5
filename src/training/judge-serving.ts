import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import type { TrainingSettings } from '../pipeline/training-settings.ts';
import { archiveProblems } from '../plan/judge-archive.ts';
import type { Problem } from '../problem/problem.ts';
import { codeBeside } from './code-beside.ts';
import type { FoundSource } from './judge-source.ts';
import { settingProblem } from './setting-problem.ts';

/** A model that the container of a framework serves without a handler. */
const BEST_MODEL = { tensorflow: '1/saved_model.pb', pytorch: 'model.pt' } as const;

/**
 * What would keep the pipeline's container from serving even the best model of a training, by the handler of its source. The script may
 * write a handler itself, so it's a note, and a problem of `after.evaluate` only for a source that can't write one.
 */
export function judgeServing(
  training: TrainingSettings,
  { place, files, texts }: FoundSource,
  config: PipelineConfig,
): { readonly notes: readonly string[]; readonly problems: readonly Problem[] } {
  const { model } = config;
  // An archive for ONNX Runtime gets a handler.
  if (model.framework === 'onnx' || !files.some(({ path }) => path === training.entryPoint))
    return { notes: [], problems: [] };
  const beside = codeBeside(
    [],
    files.map(({ path }) => path),
    model,
  );
  const scripts = new Map(beside.map((name) => [`code/${name}`, texts.get(name) ?? '']));
  const reasons = archiveProblems(
    { files: [BEST_MODEL[model.framework], ...scripts.keys()], scripts, kinds: new Map() },
    config,
  );
  if (training.after.evaluate !== null && !mayWriteHandler(training, { files, texts }))
    return {
      notes: [],
      problems: reasons.map((reason) =>
        settingProblem(
          'after.evaluate',
          training.after.evaluate,
          `needs a model that can be served, but the one of this source ${reason}. inference.py belongs into ${place}`,
        ),
      ),
    };
  return {
    notes: reasons.map(
      (reason) => `unless ${training.entryPoint} writes its own code/inference.py, the model ${reason}`,
    ),
    problems: [],
  };
}

/** Ways to write a file whose name isn't in the script, or to run what isn't in the source. */
const COPIES =
  /inference|['"/]code\b|\b(?:open|copy\w*|shutil|subprocess|system|popen|spawn\w*|exec\w*|eval|import_module|__import__|tarfile|zipfile|write_\w+|urllib|requests|boto\w*)\b/i;

/** Whether a source has a handler, or may write one into the archive: false only for plain Python of which every line is known. */
function mayWriteHandler(
  { image }: TrainingSettings,
  { files, texts }: Pick<FoundSource, 'files' | 'texts'>,
): boolean {
  return (
    image !== null ||
    files.some(
      ({ path }) => !path.endsWith('.py') || !texts.has(path) || COPIES.test(`${path}\n${texts.get(path)}`),
    )
  );
}
