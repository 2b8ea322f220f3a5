import { type FrameworkName, FRAMEWORKS } from './frameworks.ts';

/** sagemaker-training's own, which a script may raise as well. */
const SCRIPT_ERROR = 'ExecuteUserScriptError';

/** A line with one of these names begins the ErrorMessage; sagemaker-training 5.1.4. */
const PYTHON_ERRORS =
  `BaseException Exception ArithmeticError AssertionError AttributeError BlockingIOError BrokenPipeError BufferError
  ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError EOFError EnvironmentError
  FileExistsError FileNotFoundError FloatingPointError IOError ImportError IndentationError IndexError InterruptedError
  IsADirectoryError KeyError LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError
  OverflowError PermissionError ProcessLookupError RecursionError ReferenceError RuntimeError SyntaxError SystemError TabError
  TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError ValueError
  ZeroDivisionError ResourceExhaustedError OutOfRangeError InvalidArgumentError mpirun.real ORTE`
    .split(/\s+/)
    .concat('Invalid requirement');

/** More is never shown: FailureReason has 1,024 characters. */
const KEPT_CHARACTERS = 4_096;

/** Collects the ErrorMessage of a process while it prints. */
export class ErrorCollector {
  readonly #begins: readonly string[];
  readonly #classes: readonly string[];
  readonly #parts = { stdout: '', stderr: '' };

  constructor(framework: FrameworkName) {
    this.#classes = [SCRIPT_ERROR, ...FRAMEWORKS[framework].errors];
    this.#begins = [...PYTHON_ERRORS, ...this.#classes];
  }

  /** Keeps each stream's lines from the first one that names an error. Like the toolkit, it also searches stdout. */
  hear(line: string, from: 'stdout' | 'stderr'): void {
    const part = this.#parts[from];
    if (part.length > KEPT_CHARACTERS || (part === '' && !this.#begins.some((name) => line.includes(name))))
      return;
    const told = line.replaceAll(/^[ :\n]+|(?<![ :\n])[ :\n]+$/g, '');
    this.#parts[from] = `${part}${part === '' ? '' : ' '}${told}\n`;
  }

  /** Lines of both streams, each once. */
  get message(): string {
    const lines = `${this.#parts.stdout} ${this.#parts.stderr}`.split('\n');
    return [...new Set(lines)].join('\n').trim();
  }

  /** The toolkit's name for the failure. */
  get errorClass(): string {
    const { message } = this;
    return this.#classes.find((name) => message.includes(name)) ?? SCRIPT_ERROR;
  }
}
