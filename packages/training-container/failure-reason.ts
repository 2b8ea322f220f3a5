/** How long SageMaker's FailureReason may be. */
const MAX_CHARACTERS = 1_024;

/** The container's own code: AWS's toolkit exits with 1, whatever the script's code was. */
const CONTAINER_CODE = 1;

/** Exit code of the shell and Docker for a process that SIGKILL ended; the toolkit takes it for a lack of memory. */
const KILLED = 137;

/** How a script, or pip before it, failed, in the terms of AWS's toolkit. */
export interface ScriptFailure {
  /** `ExecuteUserScriptError`, a class of TensorFlow, or `InstallModuleError` and `InstallRequirementsError` where pip failed. */
  readonly errorClass: string;
  /** Return code in the form of Python's subprocess. */
  readonly returnCode: number;
  readonly message: string;
  readonly command: readonly string[];
}

/** Text that AWS's toolkit writes into `output/failure` for a script that failed. */
export function failureText({ errorClass, returnCode, message, command }: ScriptFailure): string {
  return [
    `${errorClass}:`,
    `ExitCode ${returnCode}`,
    `ErrorMessage "${message}"`,
    ...(returnCode === KILLED ? ['ExtraInfo "OutOfMemory: Process killed by SIGKILL (signal 9)"'] : []),
    `Command "${command.join(' ')}"`,
  ].join('\n');
}

/** `FailureReason` of a job with this text in `output/failure`; text that's too long is cut. */
export function failureReason(text: string): string {
  const [before, after] = ['AlgorithmError: ', `, exit code: ${CONTAINER_CODE}`];
  return before + text.slice(0, MAX_CHARACTERS - before.length - after.length) + after;
}

/** `FailureReason` of a job that couldn't read its data while it ran. */
export function dataFailureReason(message: string): string {
  return `ClientError: Data download failed:${message}`.slice(0, MAX_CHARACTERS);
}
