import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { connectPyodide } from '../../handlers/connect-pyodide.ts';
import { startInterpreter } from '../../handlers/interpreter.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Starts a script in Pyodide, as the container of an image does, and gives its answer to a request, and the lines that it has logged. */
export async function startScript(
  files: Readonly<Record<string, string>>,
  { pythonMinor = 12, timeoutMs = 120_000 }: { pythonMinor?: number; timeoutMs?: number } = {},
) {
  const modelDir = temporaryFolder('script-');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(modelDir, 'code', name, '..'), { recursive: true });
    writeFileSync(join(modelDir, 'code', name), text);
  }
  const lines: string[] = [];
  const interpreter = await startInterpreter(
    {
      modelDir,
      environment: {},
      pythonMinor,
      restPort: 8501,
      networkIsolation: true,
      hasTimeout: true,
      restApi: { answer: () => Promise.resolve({ status: 200, body: '{}' }) },
      servingPath: () => '/v1/models/model:predict',
      context: () => [null, null, null, '', '9000', null, null, 'text/plain', 'text/plain', 60],
      answerFor: () => undefined,
      timeoutMs,
      log: (line) => void lines.push(line),
    },
    connectPyodide(),
  );
  onTestFinished(() => interpreter.close());
  const ask = async (body = '') => {
    const none = { contentType: undefined, accept: undefined, customAttributes: undefined };
    const { body: answer } = await interpreter.invoke({ body: Buffer.from(body), ...none });
    return answer.toString();
  };
  return { ask, lines };
}
