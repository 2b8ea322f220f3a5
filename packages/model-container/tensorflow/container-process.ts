/** Entry of the process that is one TensorFlow container: model server, Python service and front, on ports of its own. */
import type { Server } from 'node:http';
import { findModelBundles, type ModelBundle } from '@inferdrop/savedmodel/model-bundles';
import { describeRefusal, type ServableModel } from '@inferdrop/savedmodel/servable-model';
import type { ContainerStart } from '../container-messages.ts';
import { type HostChannel, runContainer } from '../host-channel.ts';
import { parseImageUri } from '../image.ts';
import { listen, portOf } from '../loopback-server.ts';
import { createFrontServer } from './front/front-server.ts';
import { resolveImageGeneration } from './front/image-generation.ts';
import { batchRequests } from './serving/request-batching.ts';
import { createRestApi, type RestApi, type ServedModels } from './serving/rest-api.ts';
import { createRestServer } from './serving/rest-server.ts';
import { readSettings, type TensorFlowSettings } from './settings.ts';
import { startPython } from './start-python.ts';

async function main(data: ContainerStart, { log, listening }: HostChannel): Promise<void> {
  const settings = readSettings(data.environment);
  settings.remarks.forEach(log);
  const generation = resolveImageGeneration(parseImageUri(data.image).tag);
  const restServer = await reservePort();
  const restPort = portOf(restServer.server);
  const bundles = await findModelBundles(data.modelDir);
  const [first] = bundles;
  if (!first) throw new Error('no SavedModel bundles found!');
  const defaultModelName = settings.defaultModelName ?? first.name;
  if (!bundles.some(({ name }) => name === defaultModelName)) {
    throw new Error(
      `SAGEMAKER_TFS_DEFAULT_MODEL_NAME must be one of ${bundles.map(({ name }) => name).join(', ')}, is ${defaultModelName}`,
    );
  }
  // The interpreter boots while the models load; its calls wait for them.
  const models = loadModels(bundles, settings, data, log);
  const restApi = deferred(models);
  const { modelDir, environment, networkIsolation } = data;
  const python = startPython({
    modelDir,
    environment,
    settings,
    generation,
    defaultModelName,
    restApi,
    restPort,
    networkIsolation,
    python: data.pythons.handlers,
    log,
  });
  const [, service] = await Promise.all([models, python]);
  restServer.serve(restApi);
  const front = createFrontServer({
    restApi,
    defaultModelName,
    generation,
    python: service,
    readTimeoutMs: settings.proxyReadTimeoutSeconds * 1000,
  });
  await listen(front.server);
  log(`listening: model ${defaultModelName}, ${service ? 'code/inference.py' : 'no script'}`);
  listening(portOf(front.server), front.path);
}

interface EngineOptions {
  readonly workers: number;
  /** Interpreter of the environment that holds the framework, where the engine needs one. */
  readonly python: string | undefined;
  readonly log: (line: string) => void;
}

interface Engine {
  loadSavedModel(versionDir: string, options: EngineOptions): Promise<ServableModel>;
}

/** Each holds the whole model. */
const MAX_WORKERS = 2;

async function loadModels(
  bundles: readonly ModelBundle[],
  settings: TensorFlowSettings,
  data: ContainerStart,
  log: HostChannel['log'],
): Promise<ServedModels> {
  const engine: Engine = await import(data.engineModule);
  const models = new Map<string, Map<number, ServableModel>>();
  for (const { name, versions } of bundles) {
    const loaded = new Map<number, ServableModel>();
    for (const [version, versionDir] of versions) {
      const model = await engine.loadSavedModel(versionDir, {
        workers: Math.min(MAX_WORKERS, data.cores),
        python: data.pythons.engine,
        log,
      });
      loaded.set(version, settings.enableBatching ? batchRequests(model, settings) : model);
    }
    models.set(name, loaded);
  }
  return models;
}

function deferred(models: Promise<ServedModels>): RestApi {
  const api = models.then(createRestApi);
  api.catch(() => undefined);
  return { answer: async (method, path, body) => (await api).answer(method, path, body) };
}

/** The REST port is needed before the models are: the server listens at once and is given its API later. */
async function reservePort(): Promise<{ readonly server: Server; serve(api: RestApi): void }> {
  const ready = Promise.withResolvers<RestApi>();
  const server = createRestServer({
    answer: async (method, path, body) => (await ready.promise).answer(method, path, body),
  });
  await listen(server);
  return { server, serve: ready.resolve };
}

await runContainer(main, describeRefusal);
