/** Writes the texts of `--help` for a checkout or package that cannot run yet: `node scripts/write-help.ts`. A test compares them. */
import { writeFile } from 'node:fs/promises';
import { helpTexts } from './help-texts.ts';
import { HELP_FILE } from './static-help.mjs';

await writeFile(
  new URL(`../${HELP_FILE}`, import.meta.url),
  `${JSON.stringify(await helpTexts(), undefined, 2)}\n`,
);
