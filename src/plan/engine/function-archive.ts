import { ONNX_HANDLER } from '../../model/onnx/handler-text.ts';
import { missingInPyodide } from '../../model/pyodide-needs.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toSize } from '../../text/size.ts';
import { PREDICT_MEMORY_MB } from '../../transform/predict-function.ts';
import type { AskedArchive } from './engine-planning.ts';

/** The function's memory holds model and inputs, and onnxruntime needs about twice the size of its weights while it loads. */
const MOST_ARCHIVE_BYTES = 400_000_000;

/** Why a function cannot run an archive, each with what to change in the archive. */
export function functionArchiveProblems(
  archive: AskedArchive,
  { framework }: Pick<PipelineConfig['model'], 'framework'>,
): readonly string[] {
  const { sizeBytes } = archive;
  return [
    ...(framework === 'onnx' ? onnxScriptProblems(archive) : scriptProblems(archive)),
    ...(sizeBytes > MOST_ARCHIVE_BYTES
      ? [
          `has ${toSize(sizeBytes)}, and a function with ${PREDICT_MEMORY_MB} MB takes at most ${toSize(MOST_ARCHIVE_BYTES)}: make the model smaller`,
        ]
      : []),
  ];
}

function onnxScriptProblems({ scripts }: AskedArchive): readonly string[] {
  const script = scripts.get('code/inference.py');
  if (script === undefined || script === ONNX_HANDLER) return [];
  return [
    "has a code/inference.py of its own, and functions run ONNX archives with inferdrop's handler alone: leave code/ out",
  ];
}

function scriptProblems(archive: AskedArchive): readonly string[] {
  const missing = missingInPyodide(archive);
  if (missing.length === 0) return [];
  return [
    `has a script that needs ${missing.join(', ')}, and functions run scripts in Pyodide with Python's standard library: pack only modules of Python into code/lib/`,
  ];
}
