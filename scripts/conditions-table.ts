import { operatorConditions } from '../src/problem/conditions.ts';

const HEAD = '| error | meaning | next step | alarm |\n| --- | --- | --- | --- |\n';
const TABLE = /\| error +\| meaning +\| next step +\|(?: alarm +\|)?\n(?:\|.*\n)+/;

/** docs/operate.md with its table of conditions taken from src/problem/conditions.ts. */
export function withConditions(page: string): string {
  if (!TABLE.test(page)) throw new Error('docs/operate.md must have the table of errors');
  const rows = operatorConditions().map(
    ({ name, meaning, next, rings }) => `| \`${name}\` | ${meaning} | ${next} | ${rings ? 'yes' : 'no'} |\n`,
  );
  return page.replace(TABLE, () => HEAD + rows.join(''));
}
