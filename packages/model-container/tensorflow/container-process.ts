/** Entry of the process that is one TensorFlow container: model server, Python service and front, on ports of its own. */
import type { Server } from 'node:http';
import { describeRefusal, type ServableModel } from '@inferdrop/savedmodel/servable-model';
import type { ContainerStart } from '../container-messages.ts';
import { type HostChannel, runContainer } from '../host-channel.ts';
import { listen, portOf } from '../loopback-server.ts';
import { createFrontServer } from './front/front-server.ts';
import type { RestApi } from './serving/rest-api.ts';
import { createRestServer } from './serving/rest-server.ts';
import { startTensorFlow } from './tensorflow-service.ts';

async function main(data: ContainerStart, { log, listening }: HostChannel): Promise<void> {
  const restServer = await reservePort();
  const engine: Promise<Engine> = import(data.engineModule);
  const service = await startTensorFlow({
    ...data,
    restPort: portOf(restServer.server),
    pythons: { installed: data.pythons.handlers },
    load: async (versionDir) =>
      (await engine).loadSavedModel(versionDir, {
        workers: Math.min(MAX_WORKERS, data.cores),
        python: data.pythons.engine,
        log,
      }),
    log,
  });
  restServer.serve(service.restApi);
  const front = createFrontServer(service);
  await listen(front.server);
  log(
    `listening: model ${service.defaultModelName}, ${service.hasScript ? 'code/inference.py' : 'no script'}`,
  );
  listening(portOf(front.server), front.path);
}

interface EngineOptions {
  readonly workers: number;
  /** Interpreter of the environment that holds the framework, if the engine needs one. */
  readonly python: string | undefined;
  readonly log: (line: string) => void;
}

interface Engine {
  loadSavedModel(versionDir: string, options: EngineOptions): Promise<ServableModel>;
}

/** Each holds the whole model. */
const MAX_WORKERS = 2;

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
