/**
 * Entry of the process that compiles Python scripts in Pyodide and runs none of them. It answers one frame: the first error of each.
 */
import { bootPyodide } from './boot-pyodide.ts';
import { openFrameChannel } from './frame-channel.ts';

interface Asked {
  readonly snapshot: string;
  readonly scripts: Readonly<Record<string, string>>;
}

const COMPILE = `
import json, warnings

def error_of(name, text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        code = (error.text or "").strip()
        return f"line {error.lineno}: {type(error).__name__}: {error.msg}" + (f": {code[:200]}" if code else "")
    except ValueError as error:
        return str(error)

found = {name: error_of(name, text) for name, text in json.loads(scripts).items()}
json.dumps({name: error for name, error in found.items() if error})
`;

const channel = openFrameChannel<Asked>();
const asked = channel.receive();
if (asked === undefined) process.exit(0);
const { snapshot, scripts } = asked.header;
const python = await bootPyodide({ snapshot, environment: {}, pythonMinor: 12, log: () => undefined });
python.globals.set('scripts', JSON.stringify(scripts));
const errors: string = python.runPython(COMPILE);
channel.send({ errors: JSON.parse(errors) });
process.exit(0);
