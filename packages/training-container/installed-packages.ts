import { runTool } from '@inferdrop/model-container/internal/run-tool';

/** Program that prints `pip freeze` in one line, without starting pip. */
const FREEZE = `
from importlib.metadata import distributions
print("packages", *sorted({"%s==%s" % (one.metadata["Name"], one.version) for one in distributions()}, key=str.lower))
`;

/** Packages that a Python finds, with their versions: `numpy==2.3.1 torch==2.13.0`; empty for one before 3.8, which cannot say. */
export async function installedPackages(python: string): Promise<string> {
  const { output } = await runTool(python, ['-c', FREEZE]);
  return /^packages (.*)$/m.exec(output)?.[1] ?? '';
}
