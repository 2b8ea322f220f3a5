import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Roles } from '../../kernel/permission.ts';
import type { Front, Service, Site } from '../../kernel/service.ts';
import { onBadAnswer } from './bad-answer.ts';

/** A gateway on a free port with the services that `make` builds, and the settings any SDK client needs to reach it. */
export async function localGateway(
  make: (site: Site) => readonly Service[],
  options: {
    readonly port?: number;
    readonly credentials?: Readonly<Record<string, string>>;
    readonly clock?: Clock;
    readonly fronts?: readonly Front[];
    readonly roles?: Roles;
    readonly homePage?: () => string | undefined;
    readonly onBadAnswer?: (problem: string) => void;
  } = {},
): Promise<Gateway & { readonly site: Site; readonly client: LocalClientSettings }> {
  let endpoint = 'http://127.0.0.1:0';
  const site: Site = { ...localSite, endpoint: () => endpoint };
  const gateway = await startGateway({
    port: 0,
    services: make(site),
    site,
    credentials: { test: 'test' },
    onBadAnswer,
    ...options,
  });
  endpoint = gateway.endpoint;
  return { ...gateway, site, client: { ...localClient, endpoint } };
}

/** The one account and region of every test. */
export const localSite: Site = {
  account: '000000000000',
  region: 'us-east-1',
  partition: 'aws',
  endpoint: () => 'http://127.0.0.1:0',
};

interface LocalClientSettings {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts: number;
}

const localClient: Omit<LocalClientSettings, 'endpoint'> = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
};
