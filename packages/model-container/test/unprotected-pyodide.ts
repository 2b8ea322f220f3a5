/**
 * Runs attacks in Pyodide as it comes, in a process without restrictions: what succeeds here and not in a handler was kept from it by the
 * stack. Takes a script with `handler(data, context)` and attacks as JSON on its stdin, writes what came of each.
 */
import { text } from 'node:stream/consumers';
import { loadPyodide } from 'pyodide';

const { script, attacks }: { script: string; attacks: readonly string[] } = JSON.parse(
  await text(process.stdin),
);
const python = await loadPyodide({ env: { HOME: '/root' } });
python.runPython(`import io\n${script}`);
const results = attacks.map((attack): unknown => {
  python.globals.set('attack', attack);
  return python.runPython('handler(io.BytesIO(attack.encode()), None)[0]');
});
process.stdout.write(JSON.stringify(results));
