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
