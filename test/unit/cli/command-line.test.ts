import { expect, it } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';

it.each([
  [['serve'], /no command serve; the commands are start, up, pipeline, drop/],
  [['runs', '--wait'], /runs takes no --wait; it takes --pipeline/],
  [['runs', '--limit', '0'], /--limit must be 1\.\.1000, is 0/],
  [['runs', '--limit', '1001'], /--limit must be 1\.\.1000, is 1001/],
  [['runs', 'clothes'], /runs takes no clothes/],
  [['up', '--port', '70000'], /--port must be 0\.\.65535, is 70000/],
  [['up', '--port', 'http'], /--port must be 0\.\.65535, is http/],
  [['up', '--limits', 'ten'], /--limits must be JSON like \{"lambdaConcurrency": 10\}, is ten/],
  [['up', '--limits', '{"lambda": 10}'], /--limits is \{"lambda": 10\}: .*lambda/],
  [['drop', 'images'], /drop needs --pipeline NAME/],
  [['drop', '--pipeline', 'clothes'], /drop takes exactly one FOLDER/],
  [
    ['drop', 'a', '--pipeline', 'clothes', '--name', '@held-out'],
    /--name must not begin with @, is @held-out/,
  ],
  [['drop', 'a', '--pipeline', 'clothes', '--evaluation', '--wait'], /--evaluation starts no run/],
  [['drop', 'a', 'b', '--pipeline', 'clothes'], /drop takes exactly one FOLDER/],
  [['train'], /train takes exactly one PIPELINE/],
  [['train', 'Clothes'], /PIPELINE must be lower-case letters/],
  [
    ['train', 'clothes', '--hyperparameter', 'epochs'],
    /--hyperparameter must be NAME=VALUE, as in epochs=3, is epochs/,
  ],
  [
    ['train', 'clothes', '--data', 'no-such-folder'],
    /--data must be a folder or s3:\/\/bucket\/prefix\/, is no-such/,
  ],
  [['promote', 'clothes/monday/000001'], /TRAINING must be training\/<pipeline>\/<drop>\/<generation>/],
  [['report'], /report takes exactly one RUN/],
  [['report', 'a/b/000001', '--cvs'], /--cvs/],
  [['start', '--port'], /--port/],
  [['start', 'pytorch'], /^start takes pytorch only with --train$/],
  [['start', '--train', 'pytorch', 'tensorflow'], /^start takes one FRAMEWORK at most$/],
  [['start', '--train', 'jax'], /^--train takes tensorflow or pytorch or horovod, is jax$/],
  [['up', '--data', ''], /--data must not be empty/],
  [['report', 'a/b/000001', '--save='], /--save must not be empty/],
  [['report', 'a/b/000001', '--csv', '--save', 'out'], /report takes one of --csv and --save, not both/],
  [['predict', 'a.png', '--pipeline', 'clothes', '--raw', '--json'], /one of --raw and --json, not both/],
  [
    ['endpoints', 'delete', 'clothes', '--run', 'a/b/000001'],
    /endpoints delete takes no --run; it takes --json/,
  ],
  [['model', 'inspect', 'model.tar.gz', '--code', 'src'], /model inspect takes no --code; it takes --json/],
  [['model', 'pack', '--json'], /model pack takes no --json; it takes --saved-model/],
  [['accelerators'], /^accelerators takes migrate$/],
  [['model', 'unpack'], /^model takes inspect or pack$/],
  [['--json', 'runs'], /^the command comes before --json/],
  [['endpoints deploy'], /no command endpoints deploy; the commands are start, .*, endpoints, accelerators/],
  [['constructor'], /no command constructor/],
])('%j is refused with what is known', async (args, message) => {
  const refused = runCommandLine(args, silentTerminal());
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(message);
});

it.each([[[]], [['help']], [['--help']]])('%j shows the commands', async (args) => {
  const terminal = silentTerminal();
  expect(await runCommandLine(args, terminal)).toBe(0);
  const text = terminal.lines.join('\n');
  expect(text).toContain('inferdrop drop FOLDER --pipeline NAME');
  expect(text.match(/^ {2}inferdrop endpoints/gm)).toHaveLength(4);
});

it('--help after a command is about it', async () => {
  const terminal = silentTerminal();
  expect(await runCommandLine(['runs', '-h'], terminal)).toBe(0);
  expect(terminal.lines.join('\n')).toMatch(/inferdrop runs \[--pipeline NAME\]/);
  expect(terminal.lines.join('\n')).not.toContain('inferdrop drop');
});

it('--version tells name and version', async () => {
  const terminal = silentTerminal();
  expect(await runCommandLine(['--version'], terminal)).toBe(0);
  expect(terminal.lines.join('\n')).toMatch(/^inferdrop \d+\.\d+\.\d+$/);
});
