import { expect, test } from 'vitest';
import type { Service } from '../../kernel/service.ts';
import { localGateway } from '../support/local-gateway.ts';

test('when one service cannot be closed, the others are closed and its error is reported', async () => {
  const closed: string[] = [];
  const service = (name: string, close: () => void): Service => ({
    name,
    match: () => false,
    callOf: () => undefined,
    answer: async () => undefined,
    close: async () => {
      close();
      closed.push(name);
    },
  });
  const full = (): never => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  const gateway = await localGateway(() => [service('states', full), service('lambda', () => undefined)]);
  await expect(gateway.close()).rejects.toThrow('ENOSPC');
  expect(closed).toEqual(['lambda']);
});

test('where the port is taken, the services that are open already are closed', async () => {
  const first = await localGateway(() => []);
  const closed: string[] = [];
  const service: Service = {
    name: 'lambda',
    match: () => false,
    callOf: () => undefined,
    answer: async () => undefined,
    close: async () => void closed.push('lambda'),
  };
  await expect(localGateway(() => [service], { port: first.port })).rejects.toThrow('EADDRINUSE');
  expect(closed).toEqual(['lambda']);
  await first.close();
});

test('a browser at the address of the stack is told what answers there; a program gets what S3 says', async () => {
  const gateway = await localGateway(() => []);
  const page = await fetch(gateway.endpoint, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('answers programs, and has no pages');
  expect((await fetch(gateway.endpoint)).headers.get('content-type')).not.toContain('html');
  await gateway.close();
});

test('a browser at the address of the stack is led to the home page, once there is one; a program is not', async () => {
  const pages: string[] = [];
  const gateway = await localGateway(() => [], { homePage: () => pages[0] });
  const visit = (accept: string) => fetch(gateway.endpoint, { headers: { accept }, redirect: 'manual' });
  expect((await visit('text/html')).status).toBe(200);
  pages.push('http://127.0.0.1:9/');
  const { status, headers } = await visit('text/html,*/*;q=0.8');
  expect([status, headers.get('location')]).toEqual([302, pages[0]]);
  expect((await visit('*/*')).headers.get('location')).toBeNull();
  await gateway.close();
});
