// `npm run deploy -- --stage NAME …` and `npm run remove`: `inferdrop deploy` and `inferdrop remove` of this checkout.
import { runInferdrop } from './bootstrap.mjs';

process.exitCode = await runInferdrop(process.argv.slice(2));
