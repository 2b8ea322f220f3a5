/** Writes src/report/page/page-script-text.ts from web/: `node scripts/write-page-script.ts`. A test compares them. */
import { writeFile } from 'node:fs/promises';
import { pageScriptModule } from './page-script.ts';

await writeFile(new URL('../src/report/page/page-script-text.ts', import.meta.url), await pageScriptModule());
