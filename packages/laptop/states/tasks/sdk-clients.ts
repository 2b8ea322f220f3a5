import type { Credentials } from '../../kernel/permission.ts';
import type { Site } from '../../kernel/service.ts';
import type { SdkService } from '../definition/integration.ts';
import { type SdkCalls, SdkFailure } from './sdk-calls.ts';

interface Client {
  readonly has: (action: string) => boolean;
  readonly send: (action: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly isModelled: (code: string) => boolean;
  readonly destroy: () => void;
}

type Exports = Readonly<Record<string, unknown>>;

/** Loaded when a machine first needs them: each costs tens of milliseconds. */
const packages: Readonly<Record<SdkService, { load(): Promise<Exports>; client: string }>> = {
  s3: { load: () => import('@aws-sdk/client-s3'), client: 'S3Client' },
  sfn: { load: () => import('@aws-sdk/client-sfn'), client: 'SFNClient' },
  sagemaker: { load: () => import('@aws-sdk/client-sagemaker'), client: 'SageMakerClient' },
  sns: { load: () => import('@aws-sdk/client-sns'), client: 'SNSClient' },
  sqs: { load: () => import('@aws-sdk/client-sqs'), client: 'SQSClient' },
};

/** The SDK's own clients, pointed at the stack's endpoint. */
export function sdkClients(site: Site, endpoint: () => string, credentials: Credentials): SdkCalls {
  const clients = new Map<SdkService, Promise<Client>>();
  const clientOf = (service: SdkService): Promise<Client> => {
    const known = clients.get(service);
    if (known) return known;
    const loading = loadClient(service, { site, endpoint: endpoint(), credentials });
    clients.set(service, loading);
    return loading;
  };
  return {
    has: async (service, action) => commandOf(await packages[service].load(), action) !== undefined,
    async call(service, action, input) {
      const client = await clientOf(service);
      try {
        const output = await client.send(action, input);
        return typeof output === 'object' && output !== null
          ? Object.fromEntries(Object.entries(output))
          : {};
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        throw new SdkFailure(error.name, client.isModelled(error.name), error.message);
      }
    },
    close() {
      for (const client of clients.values()) {
        void client.then(
          ({ destroy }) => destroy(),
          () => undefined,
        );
      }
    },
  };
}

type Constructor = new (...args: unknown[]) => object;

function isConstructor(value: unknown): value is Constructor {
  return typeof value === 'function' && value.prototype !== undefined;
}

function commandOf(exports: Exports, action: string): Constructor | undefined {
  const command = exports[`${action.charAt(0).toUpperCase()}${action.slice(1)}Command`];
  return isConstructor(command) ? command : undefined;
}

async function loadClient(
  service: SdkService,
  { site, endpoint, credentials }: { site: Site; endpoint: string; credentials: Credentials },
): Promise<Client> {
  const exports = await packages[service].load();
  const Client = exports[packages[service].client];
  if (!isConstructor(Client)) throw new Error(`${packages[service].client} is missing in its package`);
  const client = new Client({
    region: site.region,
    endpoint,
    credentials,
    ...(service === 's3' ? { forcePathStyle: true } : {}),
  });
  const send: unknown = Reflect.get(client, 'send');
  const destroy: unknown = Reflect.get(client, 'destroy');
  if (typeof send !== 'function' || typeof destroy !== 'function')
    throw new Error(`${service}: not a client`);
  return {
    has: (action) => commandOf(exports, action) !== undefined,
    send: async (action, input) => {
      const Command = commandOf(exports, action);
      if (!Command) throw new Error(`The ${service} client has no action '${action}'`);
      const answer: unknown = await Reflect.apply(send, client, [new Command(input)]);
      return answer;
    },
    isModelled: (code) => isConstructor(exports[code]),
    destroy: () => void Reflect.apply(destroy, client, []),
  };
}
