// `npm run pack`: writes the package that npm installs in any folder (docs/package.md).
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['scripts/package/build.ts']);
