// `npm run test:api`: schemathesis, a property-based client, runs docs/openapi.json against the stack on this machine.
import path from 'node:path';
import { ensureInstalled, root, run } from './bootstrap.mjs';
import { pythonEnvironment } from './python-environment.mjs';

ensureInstalled();
const bin = pythonEnvironment('api', path.join(root, 'test', 'api', 'requirements.txt'));
process.exitCode = await run(['test/api/contract.ts', path.join(bin, 'schemathesis')]);
