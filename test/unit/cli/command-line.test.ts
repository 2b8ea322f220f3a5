import { expect, it } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { Refusal } from '../../../src/cli/refusal.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';

it.each([
  [['quantize'], /^there is no command quantize: inferdrop --help lists the commands$/],
  [['dorp'], /^there is no command dorp: did you mean drop\? inferdrop --help/],
  [['ednpoints', 'list'], /no command ednpoints: did you mean endpoints\?/],
  [['put', 'folder'], /no command put: did you mean pipeline put\?/],
  [['logss'], /no command logss: did you mean logs\?/],
  [['ls'], /^there is no command ls: inferdrop --help lists the commands$/],
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
  [
    ['train', 'cats', '--hyperparameter', 'bad name=1'],
    /^--hyperparameter bad name=1 must have a name without spaces/,
  ],
  [['train'], /train takes exactly one PIPELINE/],
  [['train', 'Clothes'], /PIPELINE must be lower-case letters/],
  [
    ['train', 'clothes', '--hyperparameter', 'epochs'],
    /--hyperparameter must be NAME=VALUE, as in epochs=3, is epochs/,
  ],
  [['promote', 'clothes/monday/000001'], /TRAINING must be training\/<pipeline>\/<drop>\/<generation>/],
  [['compare', 'a/b/000001'], /^compare takes two RUN or more$/],
  [['report'], /report takes exactly one RUN/],
  [['report', 'a/b/000001', '--cvs'], /--cvs/],
  [['review', 'a/b/000001'], /review needs --for label-studio, cvat or csv, or --import FILE/],
  [['review', 'a/b/000001', '--for', 'csv', '--import', 'a'], /review needs --for .*, or --import FILE/],
  [['review', 'a/b/000001', '--for', 'csv', '--rescore'], /--rescore and --by belong to --import FILE/],
  [['review', 'a/b/000001', '--import', 'a', '--wrong'], /--import takes no --wrong/],
  [['review', 'a/b/000001', '--import', 'a', '--rescore', '--save', 'b'], /one of --rescore and --save/],
  [['review', 'a/b/000001', '--for', 'csv', '--random', '0'], /--random must be 1\.\.10000, is 0/],
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
    /endpoints delete takes no --run; it takes PIPELINE, --json/,
  ],
  [
    ['model', 'inspect', 'model.tar.gz', '--code', 'src'],
    /model inspect takes no --code; it takes FILE\|FOLDER, --compare, --limit, --json/,
  ],
  [['model', 'pack', '--json'], /model pack takes no --json; it takes MODEL, --code, --python, --output/],
  [
    ['model', 'pack', '--onnx', 'x', '-o', 'y'],
    /model pack takes no --onnx; it takes MODEL, --code, --python, --output/,
  ],
  [['runs', '--pipelin', 'clothes'], /^runs takes no --pipelin: did you mean --pipeline\?$/],
  [['runs', '-x'], /^runs takes no -x; it takes --pipeline, --limit, --json, --stage$/],
  [['model', 'pack', 'x'], /^model pack needs --output FILE$/],
  [['accelerators'], /^accelerators takes migrate$/],
  [['model'], /^model takes pack or inspect$/],
  [['model', '--json'], /^model takes pack or inspect$/],
  [['model', 'unpack'], /^there is no command model unpack: did you mean model pack\?$/],
  [['model', 'quantize'], /^there is no command model quantize: model takes pack or inspect$/],
  [['model', 'constructor'], /^there is no command model constructor: model takes/],
  [['endpoints', 'lits'], /^there is no command endpoints lits: did you mean endpoints list\?$/],
  [['--json', 'runs'], /^the command comes before --json/],
  [['endpoints deploy'], /no command endpoints deploy/],
  [['constructor'], /no command constructor/],
])('%j is refused with what is known', async (args, message) => {
  const refused = runCommandLine(args, silentTerminal());
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(message);
});

it.each([
  [
    ['train', 'clothes', '--data', 'no-such-folder'],
    /--data must be a folder or s3:\/\/bucket\/prefix\/, is no-such/,
  ],
  [['model', 'inspect', 'no-such-file'], /no-such-file does not exist/],
  [['model', 'pack', 'no-such-file', '-o', 'x'], /no-such-file does not exist/],
])(
  '%j is a right command line, refused since the files of this machine are not so',
  async (args, message) => {
    const refused = runCommandLine(args, silentTerminal());
    await expect(refused).rejects.toThrow(Refusal);
    await expect(refused).rejects.toThrow(message);
  },
);

it('--version tells name and version', async () => {
  const terminal = silentTerminal();
  expect(await runCommandLine(['--version'], terminal)).toBe(0);
  expect(terminal.lines.join('\n')).toMatch(/^inferdrop \d+\.\d+\.\d+$/);
});
