import { ARCHIVES } from '../frameworks/archives.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import type { TrainingSettings } from '../pipeline/training-settings.ts';
import { archiveProblems } from '../plan/judge/judge-archive.ts';
import type { Problem } from '../problem/problem.ts';
import { codeBeside } from './code-beside.ts';
import type { FoundSource } from './judge-source.ts';
import { settingProblem } from './setting-problem.ts';

/** Ways to write a file without its name in the script, or to run code that isn't in the source. */
const MAY_WRITE =
  /inference|['"/]code\b|\b(?:open|copy\w*|shutil|subprocess|system|popen|spawn\w*|exec\w*|eval|import_module|__import__|tarfile|zipfile|write_\w+|urllib|requests|boto\w*)\b/i;

/**
 * Judges the handler of a source: would the pipeline's container serve even the best model with it? The script may
 * write a handler itself, so it's a note, and a problem of `after.evaluate` only for plain Python that has no way to write one.
 */
export function judgeServing(
  { entryPoint, image, after: { evaluate } }: TrainingSettings,
  { place, files, texts }: FoundSource,
  config: PipelineConfig,
): { readonly notes: readonly string[]; readonly problems: readonly Problem[] } {
  const { model } = config;
  const paths = files.map(({ path }) => path);
  const { plainModel } = ARCHIVES[model.framework];
  if (plainModel === null || !paths.includes(entryPoint)) return { notes: [], problems: [] };
  const scripts = new Map(
    codeBeside([], paths, model).map((name) => [`code/${name}`, texts.get(name) ?? '']),
  );
  const archive = [plainModel, ...scripts.keys()];
  const reasons = archiveProblems({ files: archive, scripts, kinds: new Map() }, config);
  const mayWrite = (path: string): boolean =>
    !path.endsWith('.py') || !texts.has(path) || MAY_WRITE.test(`${path}\n${texts.get(path)}`);
  if (evaluate === null || image !== null || paths.some(mayWrite))
    return {
      notes: reasons.map(
        (reason) => `unless ${entryPoint} writes its own code/inference.py, the model ${reason}`,
      ),
      problems: [],
    };
  const refused = (reason: string): string =>
    `needs a model that can be served, but the one of this source ${reason}. inference.py belongs into ${place}`;
  return {
    notes: [],
    problems: reasons.map((why) => settingProblem('after.evaluate', evaluate, refused(why))),
  };
}
