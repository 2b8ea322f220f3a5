import { findModelBundles, type ModelBundle } from '@inferdrop/savedmodel/internal/model-bundles';
import type { ServableModel } from '@inferdrop/savedmodel/servable-model';
import { ArchiveRefused } from '../archive-refused.ts';
import type { HandlerRequest } from '../handlers/python-service.ts';
import { parseImageUri } from '../image.ts';
import { resolveImageGeneration } from './front/image-generation.ts';
import { type InvokedModel, invokeModel } from './front/invoke-model.ts';
import { servedModel } from './served-model.ts';
import { batchRequests } from './serving/request-batching.ts';
import { createRestApi, type RestApi, type ServedModels } from './serving/rest-api.ts';
import { readSettings, type TensorFlowSettings } from './settings.ts';
import { type Pythons, startPython } from './start-python.ts';

const REASONS = { 502: 'Bad Gateway', 504: 'Gateway Time-out' } as const;

/** nginx's own page where its backend is missing, or does not answer in time. */
function toGatewayPage(status: keyof typeof REASONS): string {
  const title = `${status} ${REASONS[status]}`;
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
}

/** Answer of the container's port 8080. */
export interface ServiceAnswer {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly contentType: string;
}

/** An archive's SavedModels and its script, as the container's ports have them. */
export interface TensorFlowService {
  readonly restApi: RestApi;
  readonly defaultModelName: string;
  readonly hasScript: boolean;
  /** Answers an invocation, with nginx's own pages where the script dies or is late. */
  invoke(request: HandlerRequest): Promise<ServiceAnswer>;
  /** Starts the script anew, as in a new container; requests in progress fail. @throws {HandlerRefused} */
  renewScript(): Promise<void>;
  /** Stops the script and the models. */
  close(): Promise<void>;
}

interface ServiceOptions {
  readonly image: string;
  /** Unpacked archive: `/opt/ml/model` of the container. */
  readonly modelDir: string;
  /** File that the folder of a version is known by; `saved_model.pb` where it is left out. */
  readonly modelFile?: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly networkIsolation: boolean;
  /** Port of the REST API, which handlers find in their context. */
  readonly restPort: number;
  readonly pythons: Pythons;
  readonly load: (versionDir: string) => Promise<ServableModel>;
  readonly log: (line: string) => void;
}

/**
 * Starts what answers invocations of a TensorFlow archive: every request goes to the script where there is one, unconverted.
 *
 * @throws {ArchiveRefused} {HandlerRefused} {UnsupportedModel} {BrokenModel}
 */
export async function startTensorFlow(options: ServiceOptions): Promise<TensorFlowService> {
  const { image, modelDir, modelFile, environment, networkIsolation, restPort, pythons, log } = options;
  const settings = readSettings(environment);
  settings.remarks.forEach(log);
  const bundles = await findModelBundles(modelDir, modelFile);
  const served = servedModel(
    bundles.map(({ name }) => name),
    environment,
  );
  if ('reason' in served) throw new ArchiveRefused(served.reason);
  const { name: defaultModelName } = served;
  // The interpreter boots while the models load; its calls wait for them.
  const models = loadModels(bundles, settings, options.load);
  const restApi = deferred(models);
  const generation = resolveImageGeneration(parseImageUri(image).tag);
  const invoked: InvokedModel = { restApi, defaultModelName, generation };
  const starting = startPython({
    image,
    modelDir,
    environment,
    settings,
    ...invoked,
    restPort,
    networkIsolation,
    pythons,
    log,
  });
  const [loaded, python] = await Promise.allSettled([models, starting]);
  const closeModels = async (): Promise<void> => {
    if (loaded.status === 'fulfilled') await Promise.all([...allOf(loaded.value)].map((one) => one.close()));
  };
  if (loaded.status === 'rejected') {
    if (python.status === 'fulfilled') await python.value?.close();
    throw loaded.reason;
  }
  if (python.status === 'rejected') {
    await closeModels();
    throw python.reason;
  }
  const script = python.value;
  const answer = async (request: HandlerRequest): Promise<ServiceAnswer> => {
    if (script === undefined) return invokeModel(request, invoked);
    const { contentType, ...answered } = await script.invoke(request);
    return { ...answered, contentType: contentType ?? 'application/json' };
  };
  return {
    restApi,
    defaultModelName,
    hasScript: script !== undefined,
    invoke: (request) =>
      withTimeout(answer(request), settings.proxyReadTimeoutSeconds * 1000).catch(() => gatewayAnswer(502)),
    renewScript: async () => script?.renew(),
    async close() {
      await script?.close();
      await closeModels();
    },
  };
}

async function loadModels(
  bundles: readonly ModelBundle[],
  settings: TensorFlowSettings,
  load: ServiceOptions['load'],
): Promise<ServedModels> {
  const models = new Map<string, Map<number, ServableModel>>();
  for (const { name, versions } of bundles) {
    const loaded = new Map<number, ServableModel>();
    for (const [version, versionDir] of versions) {
      const model = await load(versionDir);
      loaded.set(version, settings.enableBatching ? batchRequests(model, settings) : model);
    }
    models.set(name, loaded);
  }
  return models;
}

function* allOf(models: ServedModels): Generator<ServableModel> {
  for (const versions of models.values()) yield* versions.values();
}

function deferred(models: Promise<ServedModels>): RestApi {
  const api = models.then(createRestApi);
  api.catch(() => undefined);
  return { answer: async (method, path, body) => (await api).answer(method, path, body) };
}

function withTimeout(answered: Promise<ServiceAnswer>, timeoutMs: number): Promise<ServiceAnswer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(gatewayAnswer(504)), timeoutMs);
    answered.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function gatewayAnswer(status: Parameters<typeof toGatewayPage>[0]): ServiceAnswer {
  return { status, body: toGatewayPage(status), contentType: 'text/html' };
}
