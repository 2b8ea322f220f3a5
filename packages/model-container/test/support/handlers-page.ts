import { readFileSync } from 'node:fs';

const PAGE = readFileSync(new URL('../../../../docs/handlers.md', import.meta.url), 'utf8');

/** The first Python of a section of docs/handlers.md, as it stands there. */
export function handlerOf(section: string): string {
  const found = PAGE.split(/^## /m).find((text) => text.startsWith(`${section}\n`));
  const code = /^```python\n(.*?)^```$/ms.exec(found ?? '')?.[1];
  if (code === undefined) throw new Error(`docs/handlers.md has no Python in its section ${section}`);
  return code;
}
