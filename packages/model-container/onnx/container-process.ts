/** Entry of the process that is one container of an ONNX archive without a handler of its own: TorchServe's front before onnxruntime. */
import { join } from 'node:path';
import { loadOnnx } from '@inferdrop/savedmodel/load-onnx';
import { describeRefusal, type ServableModel } from '@inferdrop/savedmodel/servable-model';
import type { ContainerStart } from '../container-messages.ts';
import { type HostChannel, runContainer } from '../host-channel.ts';
import { listen, portOf } from '../loopback-server.ts';
import { createTorchFront } from '../pytorch/front-server.ts';
import { readTorchServeSettings } from '../pytorch/settings.ts';
import type { TorchAnswer, TorchRequest } from '../pytorch/torch-worker.ts';
import { QueueFull, type WorkerPool } from '../pytorch/worker-pool.ts';
import { answerBundle, isBundle } from './answer-bundle.ts';
import { answerRequest } from './answer-request.ts';
import { opensBundles } from './own-handler.ts';
import { readImageSettings } from './read-image.ts';

/** Each holds the whole model, as TorchServe's workers do. */
const MAX_WORKERS = 2;
const MAX_UNDER_WAY = 100;

async function main(
  { modelDir, environment, cores }: ContainerStart,
  { log, listening }: HostChannel,
): Promise<void> {
  const settings = readTorchServeSettings(environment);
  const images = readImageSettings(environment);
  const isBundled = opensBundles(modelDir);
  const answer = (own: ServableModel, request: TorchRequest): Promise<TorchAnswer> =>
    isBundled && isBundle(request)
      ? answerBundle(own, request, images, settings.maxResponseBytes)
      : answerRequest(own, request, images);
  const workers = settings.workers ?? Math.min(MAX_WORKERS, cores);
  const load = () => loadOnnx(join(modelDir, 'model.onnx'), { workers, log });
  let model = load();
  await model;
  let underWay = 0;

  const withinTime = async (request: TorchRequest): Promise<TorchAnswer> => {
    const asked = model;
    const late = Promise.withResolvers<never>();
    const patience = setTimeout(() => {
      log('Backend worker did not respond in given time');
      late.reject(new Error('Worker died.'));
      if (asked !== model) return;
      // A run cannot be stopped but by ending its process.
      model = load();
      model.catch((error: unknown) => log(String(error)));
      void asked.then((old) => old.close());
    }, settings.responseTimeoutSeconds * 1000);
    try {
      return await Promise.race([answer(await asked, request), late.promise]);
    } finally {
      clearTimeout(patience);
    }
  };
  const pool: WorkerPool = {
    healthy: true,
    async predict(request) {
      if (underWay >= MAX_UNDER_WAY) throw new QueueFull(`${MAX_UNDER_WAY} requests wait already`);
      underWay += 1;
      try {
        const answered = await withinTime(request);
        if (answered.kind === 'answer' && answered.body.length > settings.maxResponseBytes) {
          log(
            `Message size exceed limit: ${answered.body.length}. Consider increasing TS_MAX_RESPONSE_SIZE, which is ` +
              `${settings.maxResponseBytes}`,
          );
          throw new Error('Worker died.');
        }
        return answered;
      } finally {
        underWay -= 1;
      }
    },
    close: async () => (await model).close(),
  };
  const front = createTorchFront(pool, settings.maxRequestBytes);
  await listen(front.server);
  log(`listening: ONNX, ${workers} ${workers === 1 ? 'process' : 'processes'}`);
  listening(portOf(front.server), front.path);
}

await runContainer(main, describeRefusal);
