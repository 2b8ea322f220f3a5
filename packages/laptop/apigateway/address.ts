/** The API of a request, and the rest of the path for its stages and routes. */
export interface ApiAddress {
  readonly apiId: string;
  /** Percent-encoded as on the wire, begins with `/`. */
  readonly path: string;
}

const HOST =
  /^([a-z0-9]+)\.execute-api\.[a-z0-9-]+\.(?:localhost|localhost\.localstack\.cloud|amazonaws\.com)(?::\d+)?$/i;
const PATH = /^\/_aws\/execute-api\/([a-z0-9]+)(\/.*)?$/;
const LOCALSTACK_PATH = /^\/restapis\/([a-z0-9]+)\/([^/]+)\/_user_request_(\/.*)?$/;

/** Reads an address in any of the styles that README.md lists; undefined if it is for no API. */
export function parseApiAddress(host: string | undefined, path: string): ApiAddress | undefined {
  const [, byHost] = HOST.exec(host ?? '') ?? [];
  if (byHost !== undefined) return { apiId: byHost.toLowerCase(), path };
  const [, byPath, rest = '/'] = PATH.exec(path) ?? [];
  if (byPath !== undefined) return { apiId: byPath, path: rest };
  const [, apiId, stage = '', tail = '/'] = LOCALSTACK_PATH.exec(path) ?? [];
  if (apiId === undefined) return undefined;
  const isDefault = decodeStage(stage) === '$default';
  return { apiId, path: isDefault ? tail : `/${stage}${tail}` };
}

function decodeStage(stage: string): string {
  return stage.replace(/%24/gi, '$');
}

/** Value of `Fn::GetAtt Api.ApiEndpoint`: a path, since most machines find no names below `localhost`. */
export function apiEndpoint(stackEndpoint: string, apiId: string): string {
  return `${stackEndpoint}/_aws/execute-api/${apiId}`;
}

/** The host of the event's `domainName`, in AWS's form. */
export function domainOf(apiId: string, region: string): string {
  return `${apiId}.execute-api.${region}.amazonaws.com`;
}
