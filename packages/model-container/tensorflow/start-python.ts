import { connectPyodide } from '../handlers/connect-pyodide.ts';
import { readHandlerScript, requiredPackages } from '../handlers/handler-script.ts';
import type { ConnectPython, InterpreterOptions } from '../handlers/interpreter.ts';
import { toFrame, toMessage } from '../handlers/messages.ts';
import {
  type HandlerAnswer,
  HandlerRefused,
  type HandlerRequest,
  type PythonService,
} from '../handlers/python-service.ts';
import { startSupervisedService } from '../handlers/supervised-service.ts';
import { pythonMinorOf } from '../image.ts';
import { startPythonProcess } from '../python-process/python-process.ts';
import { checkAttributes, parseCustomAttributes, toServingPath } from './front/custom-attributes.ts';
import { createDefaultHandler } from './front/default-handler.ts';
import { toFalconError } from './front/falcon-error.ts';
import type { ImageGeneration } from './front/image-generation.ts';
import type { RestApi } from './serving/rest-api.ts';
import type { TensorFlowSettings } from './settings.ts';

/**
 * Several copies of one service, as gunicorn's workers are: each request goes to the one that has fewest.
 *
 * @throws {HandlerRefused} if a copy does not start
 */
async function startWorkerGroup(size: number, start: () => Promise<PythonService>): Promise<PythonService> {
  const started = await Promise.allSettled(Array.from({ length: size }, start));
  const workers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.close()));
  };
  for (const one of started) {
    if (one.status === 'fulfilled') continue;
    await close();
    throw one.reason;
  }
  const underWay = new Map(workers.map((worker) => [worker, 0]));
  const add = (worker: PythonService, count: number): void =>
    void underWay.set(worker, (underWay.get(worker) ?? 0) + count);
  return {
    async invoke(request) {
      const [[worker] = []] = [...underWay].sort(([, one], [, other]) => one - other);
      if (worker === undefined) throw new Error('The Python service has no workers');
      add(worker, 1);
      try {
        return await worker.invoke(request);
      } finally {
        add(worker, -1);
      }
    },
    async renew() {
      await Promise.all(workers.map((worker) => worker.renew()));
    },
    close,
  };
}

/** An installed Python, in a process of its own. */
function connectPython(python: string): ConnectPython {
  return ({ modelDir, environment, pythonMinor, hasTimeout, restPort, networkIsolation, log }, events) => {
    const child = startPythonProcess({
      python,
      script: new URL(import.meta.resolve('#model-container/handlers/python/handler_process.py')),
      settings: { modelDir, pythonMinor, hasTimeout, reachablePorts: networkIsolation ? [restPort] : null },
      environment,
      onFrame: (frame) => events.receive(toMessage(frame)),
      log,
    });
    void child.gone.then((reason) => events.end(reason));
    return Promise.resolve({
      post: (message) => child.send(...toFrame(message)),
      kill: () => void child.kill(),
    });
  };
}

/** The Pythons that may run a script. */
export interface Pythons {
  /** An installed one with the packages that the script imports; Pyodide where it is left out. */
  readonly installed?: string | undefined;
  readonly pyodide?: ConnectPython;
}

interface PythonOptions {
  readonly image: string;
  readonly modelDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: TensorFlowSettings;
  readonly generation: ImageGeneration;
  readonly defaultModelName: string;
  readonly restApi: RestApi;
  readonly restPort: number;
  readonly networkIsolation: boolean;
  readonly pythons: Pythons;
  readonly log: (line: string) => void;
}

/** Timeout in seconds that handlers of the newer images find in their context; a constant there. */
const CONTEXT_TIMEOUT_SECONDS = 60;

/**
 * The Python service of the container, if the archive's `code/` folder asks for one: with the archive's handlers, or with
 * the image's default handler where only packages are given.
 *
 * @throws {HandlerRefused} if the code needs what only a Python installation has
 */
export async function startPython(options: PythonOptions): Promise<PythonService | undefined> {
  const { generation, defaultModelName, restApi } = options;
  const { installed, pyodide = connectPyodide() } = options.pythons;
  const script = await readHandlerScript(options.modelDir);
  if (!script.hasInferenceScript && !script.hasLib && !script.hasRequirements) return undefined;
  const needed = installed === undefined ? requiredPackages(script.requirements) : undefined;
  if (needed !== undefined) throw new HandlerRefused(needed, true);
  const servingPath = (request: HandlerRequest): string =>
    toServingPath(parseCustomAttributes(request.customAttributes), defaultModelName);
  const interpreter: InterpreterOptions = {
    modelDir: options.modelDir,
    environment: options.environment,
    pythonMinor: pythonMinorOf(options.image),
    restPort: options.restPort,
    networkIsolation: options.networkIsolation,
    hasTimeout: generation === 'current',
    restApi,
    servingPath,
    context: (request) => toContext(request, options, servingPath(request)),
    answerFor: (served) =>
      generation === 'current' && served.status !== 200 ? toFalconError(served) : undefined,
    timeoutMs: options.settings.gunicornTimeoutSeconds * 1000,
    log: options.log,
  };
  const service = script.hasInferenceScript
    ? await startWorkerGroup(options.settings.gunicornWorkers, () =>
        startSupervisedService(interpreter, installed === undefined ? pyodide : connectPython(installed)),
      )
    : createDefaultHandler({ restApi, servingPath, generation });
  return generation === 'current' ? refusingBadAttributes(service) : service;
}

function toContext(
  { customAttributes, contentType, accept }: HandlerRequest,
  { restPort, generation }: PythonOptions,
  servingPath: string,
): readonly (string | number | null)[] {
  const { modelName, modelVersion, method } = parseCustomAttributes(customAttributes);
  return [
    modelName ?? null,
    modelVersion ?? null,
    method ?? null,
    `http://localhost:${restPort}${servingPath}`,
    '9000',
    null,
    customAttributes ?? null,
    contentType ?? 'application/json',
    accept ?? 'application/json',
    ...(generation === 'current' ? [CONTEXT_TIMEOUT_SECONDS] : []),
  ];
}

function refusingBadAttributes(service: PythonService): PythonService {
  return {
    async invoke(request): Promise<HandlerAnswer> {
      const problem = checkAttributes(parseCustomAttributes(request.customAttributes));
      if (problem === undefined) return service.invoke(request);
      return { status: 400, body: JSON.stringify({ error: problem }), contentType: undefined };
    },
    renew: () => service.renew(),
    close: () => service.close(),
  };
}
