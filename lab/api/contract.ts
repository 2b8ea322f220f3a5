/** Brings the stack up with an endpoint and lets schemathesis ask everything that docs/openapi.json allows, and more. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { servedJson } from '../../src/app/records/endpoint.ts';
import { startLaptop } from '../../test/support/laptop.ts';
import { pythonEnvironment } from '../python-environment.ts';

const bin = pythonEnvironment('api');
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
  'negative_data_rejection',
  'ignored_auth',
];

const laptop = await startLaptop();
try {
  await laptop.givePipeline('clothes', (config) => {
    config.gate = { minAccuracy: 0.5, minInputs: 1, confidence: null };
    config.endpoint = { deploy: 'when-gate-passes' };
  });
  await laptop.upload('clothes', 'monday', await laptop.images(20));
  await laptop.await('clothes/monday/000001');
  await laptop.until(async () => {
    const served = await servedJson('clothes').read(laptop.application.store);
    return served?.status === 'in-service' ? true : undefined;
  });
  const ask = async (config: readonly string[]): Promise<number> => {
    const child = spawn(
      path.join(bin, 'schemathesis'),
      [
        ...config,
        'run',
        'docs/openapi.json',
        `--url=${laptop.application.apiUrl}`,
        `--checks=${CHECKS.join(',')}`,
        '--phases=examples,coverage,fuzzing',
        '--max-examples=60',
        '--seed=20260302',
        // The stage lets 20 requests a second through to the routes that read.
        '--rate-limit=15/s',
        '--no-color',
      ],
      {
        stdio: 'inherit',
        env: { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: 'lab/api' },
      },
    );
    const [code] = await once(child, 'exit');
    return Number(code ?? 1);
  };
  const codes = [
    await ask(['--config-file=lab/api/anything.toml']),
    await ask(['--config-file=lab/api/present.toml']),
  ];
  process.exitCode = Math.max(...codes);
} finally {
  await laptop.close();
}
