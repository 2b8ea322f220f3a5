import { expect, it } from 'vitest';
import { allChecks } from '../../../src/app/verify/all-checks.ts';
import { ENDPOINT_KIND_NAMES } from '../../../src/endpoints/kind.ts';
import { endpointKind } from '../../../src/endpoints/kinds.ts';
import { PLANNING } from '../../../src/plan/engine/engine-of.ts';

it.each([
  ...Object.entries(PLANNING).map(([name, { liveCheck }]) => ['engine', name, liveCheck]),
  ...ENDPOINT_KIND_NAMES.map((name) => ['endpoint', name, endpointKind(name).liveCheck]),
])('%s %s is tried in an account by %s, which costs something', (_kind, _name, liveCheck) => {
  const found = allChecks.filter((check) => check.name === liveCheck);
  expect(found.map(({ usd }) => usd === null || usd === 0)).toEqual([false]);
});

it('each check has a name of its own', () => {
  const names = allChecks.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
