import { defineCommand } from '../define-command.ts';
import { bringUp, exportLines, untilInterrupted } from '../laptop/laptop-stack.ts';
import { MACHINE_OPTIONS, toMachine } from '../laptop/machine-options.ts';
import { ALIAS_LINE } from '../laptop/shell-alias.ts';

/** `inferdrop up`: the stack on this machine, until Ctrl-C. */
export const command = defineCommand({
  usage: `inferdrop up [--port N] [--data DIR]
    Brings the stack up and nothing else.
    Both take --handlers python (a model's inference.py runs in an installed Python with its requirements.txt)
    and --engine python (models run in TensorFlow, after "inferdrop containers install tensorflow"),
    and --legacy-elastic-inference (endpoints with an AcceleratorType are accepted, as AWS did until April 2024),
    and --training-python FRAMEWORK=PYTHON (training jobs of pytorch or tensorflow run in an interpreter of your own),
    and --training-hosts exact (on Linux their hosts have a real /opt/ml, names, addresses and every port, and no network
    beyond this stack),
    and --any-framework-version (they run also where its major version is not that of their image),
    and --limits JSON (quotas of the account, as in '{"lambdaConcurrency": 10}'; packages/laptop/README.md lists them),
    and --open-credentials (the access key "test" with the secret "test", for suites that know no other; any program
    on this machine can then use the stack).`,
  options: MACHINE_OPTIONS,
  async run({ options }, terminal) {
    const stack = await bringUp(toMachine(options), terminal);
    terminal.print(`Ready at ${stack.endpoint}. For any AWS client:`);
    for (const line of exportLines(stack)) terminal.print(line);
    terminal.print(ALIAS_LINE);
    await untilInterrupted();
    terminal.note('Stopping…');
    await stack.close();
    return 0;
  },
});
