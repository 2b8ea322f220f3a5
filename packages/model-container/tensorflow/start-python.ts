import { connectPyodide } from '../handlers/connect-pyodide.ts';
import { connectPython } from '../handlers/connect-python.ts';
import { readHandlerScript, requiredPackages } from '../handlers/handler-script.ts';
import type { ConnectPython, InterpreterOptions } from '../handlers/interpreter.ts';
import {
  type HandlerAnswer,
  HandlerRefused,
  type HandlerRequest,
  type PythonService,
} from '../handlers/python-service.ts';
import { startSupervisedService } from '../handlers/supervised-service.ts';
import { startWorkerGroup } from '../handlers/worker-group.ts';
import { pythonMinorOf } from '../image.ts';
import { checkAttributes, parseCustomAttributes, toServingPath } from './front/custom-attributes.ts';
import { createDefaultHandler } from './front/default-handler.ts';
import { toFalconError } from './front/falcon-error.ts';
import type { ImageGeneration } from './front/image-generation.ts';
import type { RestApi } from './serving/rest-api.ts';
import type { TensorFlowSettings } from './settings.ts';

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
