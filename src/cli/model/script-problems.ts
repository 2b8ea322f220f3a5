import { checkScripts, type ScriptFinding } from '@inferdrop/model-container/internal/check-scripts';

/** Findings in an archive's scripts, which were not run. */
export interface JudgedScripts {
  /** Why no Python can compile them. */
  readonly uncompilable: readonly string[];
  /** Why the Python of the image fails on them. */
  readonly damage: readonly string[];
  /** Why they can't run in Pyodide. */
  readonly refused: readonly ScriptFinding[];
  /** Where they may go another way in Pyodide than on AWS, in sentences. */
  readonly remarks: readonly string[];
}

/**
 * Judges an archive's script, and the modules next to it that it imports.
 *
 * @param image image with the Python that runs them on AWS; the newest one by default
 */
export async function judgeScripts(
  archive: { readonly scripts: ReadonlyMap<string, string>; readonly files: readonly string[] },
  image?: string,
): Promise<JudgedScripts> {
  const findings = await checkScripts({ ...archive, ...(image !== undefined && { image }) });
  return {
    uncompilable: findings.flatMap(({ kind, file, text }) =>
      kind === 'syntax'
        ? [`has a ${file} that Python cannot compile, so that every job would fail: ${text}`]
        : [],
    ),
    damage: findings.flatMap(({ kind, text }) =>
      kind === 'damage' ? [`has a script that fails: ${text}`] : [],
    ),
    refused: findings.filter(({ kind }) => kind === 'refused'),
    remarks: findings.flatMap(({ kind, text }) => (kind === 'remark' ? [text] : [])),
  };
}
