import { afterEach, expect, test } from 'vitest';
import { type LocalApi, localApi, send } from './local-api.ts';

let api: LocalApi;
afterEach(() => api.close());

const KEYS = [
  'GET /runs/{pipeline}/{drop}/{generation}',
  'GET /runs/latest/{drop}/{generation}',
  'GET /runs',
  'ANY /runs',
  'GET /files/{proxy+}',
  '$default',
];

test.each([
  ['GET', '/runs', 'GET /runs', undefined],
  ['POST', '/runs', 'ANY /runs', undefined],
  [
    'GET',
    '/runs/p/d/1',
    'GET /runs/{pipeline}/{drop}/{generation}',
    { pipeline: 'p', drop: 'd', generation: '1' },
  ],
  ['GET', '/runs/latest/d/1', 'GET /runs/latest/{drop}/{generation}', { drop: 'd', generation: '1' }],
  ['GET', '/files/a/b%2Fc/', 'GET /files/{proxy+}', { proxy: 'a/b/c/' }],
  ['GET', '/files', '$default', undefined],
  ['GET', '/runs/', '$default', undefined],
  ['DELETE', '/files/a', '$default', undefined],
  ['GET', '//runs', '$default', undefined],
  ['GET', '/runs//d/1', '$default', undefined],
])('%s %s takes the route %s', async (method, path, routeKey, pathParameters) => {
  api = await localApi({ routes: Object.fromEntries(KEYS.map((key) => [key, {}])) });
  await api.call({ method, path });
  expect(api.events[0].routeKey).toBe(routeKey);
  expect(api.events[0].pathParameters).toEqual(pathParameters);
});

test('no route, no API, no stage: 404', async () => {
  api = await localApi({ routes: { 'GET /one': {} } });
  const notFound = { status: 404, text: '{"message":"Not Found"}' };
  expect(await api.call({ path: '/two' })).toMatchObject(notFound);
  expect(await send(api.url.replace(api.ApiId, 'absent'), {})).toMatchObject(notFound);
});

test('dots in a path reach the route as they are, and do not lead out of an API', async () => {
  api = await localApi({ routes: { 'GET /predict/{pipeline}': {} } });
  expect((await api.call({ path: '/predict/../../../sts' })).status).toBe(404);
  await api.call({ path: '/predict/%2e%2e' });
  expect(api.events.map(({ pathParameters }) => pathParameters)).toEqual([{ pipeline: '..' }]);
});

test('an address that is not percent-encoded UTF-8 is 400', async () => {
  api = await localApi();
  expect(await api.call({ path: '/%ff' })).toMatchObject({ status: 400, text: '{"message":"Bad Request"}' });
});

test('an API is reached by its host name, too', async () => {
  api = await localApi();
  const host = `${api.ApiId}.execute-api.us-east-1.localhost:${api.gateway.port}`;
  await send(api.gateway.endpoint, { path: '/a/b', headers: { host } });
  expect(api.events[0].rawPath).toBe('/a/b');
});

test('an API is reached by the path that other local stacks use', async () => {
  api = await localApi();
  await send(api.gateway.endpoint, { path: `/restapis/${api.ApiId}/%24default/_user_request_/a/b` });
  expect(api.events[0].rawPath).toBe('/a/b');
});

test('a stage with a name has the first segment of the path', async () => {
  api = await localApi({ routes: { 'GET /a': {} } });
  await api.make('Stage', 'Named', {
    ApiId: api.ApiId,
    StageName: 'v1',
    AutoDeploy: true,
    StageVariables: { color: 'blue' },
  });
  await api.call({ path: '/v1/a' });
  expect(api.events[0]).toMatchObject({
    rawPath: '/v1/a',
    requestContext: { stage: 'v1' },
    stageVariables: { color: 'blue' },
  });
});

test('a disabled API is not found', async () => {
  api = await localApi({ api: { DisableExecuteApiEndpoint: true } });
  expect((await api.call()).status).toBe(404);
});

test('a route is throttled to its burst, and comes back at its rate', async () => {
  api = await localApi({
    routes: { 'GET /slow': {}, 'GET /free': {} },
    stage: { RouteSettings: { 'GET /slow': { ThrottlingBurstLimit: 2, ThrottlingRateLimit: 1 } } },
  });
  const statuses = async (path: string) => [
    (await api.call({ path })).status,
    (await api.call({ path })).status,
    (await api.call({ path })).status,
  ];
  expect(await statuses('/slow')).toEqual([200, 200, 429]);
  expect(await statuses('/free')).toEqual([200, 200, 200]);
  await api.clock.advance(1000);
  expect(await statuses('/slow')).toEqual([200, 429, 429]);
});

test('text where a route has a number is refused, and is one where CloudFormation knows the type', async () => {
  const RouteSettings = { 'GET /slow': { ThrottlingRateLimit: '1' } };
  await expect(localApi({ routes: { 'GET /slow': {} }, stage: { RouteSettings } })).rejects.toThrow(
    'must be a number, is text',
  );
  api = await localApi({
    routes: { 'GET /slow': {} },
    stage: { DefaultRouteSettings: { ThrottlingBurstLimit: '1', ThrottlingRateLimit: '1' } },
  });
  expect([(await api.call({ path: '/slow' })).status, (await api.call({ path: '/slow' })).status]).toEqual([
    200, 429,
  ]);
});

test('a preflight request is answered from the settings of the API', async () => {
  api = await localApi({
    api: {
      CorsConfiguration: { AllowOrigins: ['https://a.example'], AllowMethods: ['POST'], MaxAge: 60 },
    },
  });
  const preflight = (origin: string) =>
    api.call({ method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });
  expect(await preflight('https://a.example')).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': 'https://a.example',
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '60',
    },
  });
  expect((await preflight('https://b.example')).headers['access-control-allow-origin']).toBeUndefined();
  expect(api.events).toEqual([]);
});

test.each([
  ['Route', { RouteKey: 'GET /a{b}', Target: 'integrations/x' }, 'must be a whole {variable}'],
  [
    'Route',
    { RouteKey: 'FETCH /a', Target: 'integrations/x' },
    'The provided route key is not formatted properly for HTTP protocol.',
  ],
  [
    'Integration',
    { IntegrationType: 'HTTP_PROXY', IntegrationUri: 'http://a', PayloadFormatVersion: '2.0' },
    'AWS_PROXY',
  ],
  [
    'Integration',
    { IntegrationType: 'AWS_PROXY', IntegrationUri: 'a', PayloadFormatVersion: '1.0' },
    'payload format 2.0 only',
  ],
  ['Stage', { StageName: 'a', AutoDeploy: false }, 'set AutoDeploy to true'],
  ['Authorizer', { Name: 'a', AuthorizerType: 'REQUEST', IdentitySource: ['x'] }, 'not by functions'],
])('a %s that the stack cannot make is refused by name', async (type, properties, words) => {
  api = await localApi();
  await expect(api.make(type, 'Other', { ApiId: api.ApiId, ...properties })).rejects.toThrow(words);
});
