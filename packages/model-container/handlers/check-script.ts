import { connectPyodide } from './connect-pyodide.ts';
import { readHandlerScript } from './handler-script.ts';
import { LOAD_MS, startInterpreter } from './interpreter.ts';
import { HandlerRefused, WITH_PYTHON } from './python-service.ts';

/** Why a script cannot run without an installed Python, with the remedy; undefined where it can. */
export async function checkScript(
  modelDir: string,
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const script = await readHandlerScript(modelDir);
  const needed = requiredPackages(script.requirements);
  if (needed !== undefined) return `${needed}: ${WITH_PYTHON}`;
  if (!script.hasInferenceScript) return undefined;
  try {
    const interpreter = await startInterpreter(
      {
        modelDir,
        environment,
        restPort: 0,
        pythonMinor: 12,
        networkIsolation: true,
        hasTimeout: true,
        restApi: {
          answer: () => Promise.resolve({ status: 503, body: '{"error": "the model is not loaded"}' }),
        },
        servingPath: () => '',
        context: () => [],
        answerFor: () => undefined,
        timeoutMs: LOAD_MS,
        log: () => undefined,
      },
      connectPyodide(),
    );
    await interpreter.close();
    return undefined;
  } catch (error) {
    return error instanceof HandlerRefused && error.needsPython ? error.message : undefined;
  }
}

/** Why packages that an archive asks for cannot be had without an installed Python. */
export function requiredPackages(requirements: readonly string[]): string | undefined {
  return requirements.length === 0
    ? undefined
    : `code/requirements.txt asks for ${requirements.join(', ')}, which needs a Python installation`;
}
