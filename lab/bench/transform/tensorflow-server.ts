import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../tensorflow_server.py', import.meta.url));

/** Starts real TensorFlow with the archive's handler, in one Python process. @throws {Error} if it ends before it listens */
export async function startTensorFlowServer(
  python: string,
  modelDir: string,
): Promise<{ readonly url: URL; stop(): void }> {
  const server = spawn(python, [SCRIPT, modelDir], { stdio: ['ignore', 'pipe', 'ignore'] });
  const port = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`${python} ${SCRIPT} ended with ${code}`)));
    server.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
  });
  return { url: new URL(`http://127.0.0.1:${port}`), stop: () => void server.kill() };
}
