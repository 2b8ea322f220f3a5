import { expect, test } from 'vitest';
import { ErrorCollector } from '../error-message.ts';
import { failureReason, failureText } from '../failure-reason.ts';

function collected(
  framework: 'tensorflow' | 'pytorch',
  stderr: readonly string[],
  stdout: readonly string[] = [],
): ErrorCollector {
  const errors = new ErrorCollector(framework);
  for (const line of stdout) errors.hear(line, 'stdout');
  for (const line of stderr) errors.hear(line, 'stderr');
  return errors;
}

test('the message begins with the first line that names an error, on each stream; equal lines appear once', () => {
  const errors = collected(
    'pytorch',
    [
      'Traceback (most recent call last):',
      '  File "train.py", line 3',
      'ValueError: no data',
      ' : hint : ',
      'hint',
    ],
    ['epoch 1', 'KeyError is handled', 'epoch 2'],
  );
  expect(errors.message).toBe('KeyError is handled\n epoch 2\n ValueError: no data\n hint');
  expect(errors.errorClass).toBe('ExecuteUserScriptError');
});

test('in the TensorFlow image the first of its classes that is named is the error’s', () => {
  const line = 'tensorflow.python.framework.errors_impl.NotFoundError: OutOfRangeError';
  expect(collected('tensorflow', [line]).errorClass).toBe('NotFoundError');
  expect(collected('pytorch', [line]).errorClass).toBe('ExecuteUserScriptError');
});

test('exit code 137, of a killed process, is reported as a lack of memory', () => {
  const failure = {
    errorClass: 'ExecuteUserScriptError',
    message: '',
    command: ['/bin/sh', '-c', './run.sh '],
  };
  expect(failureText({ ...failure, returnCode: 137 })).toBe(
    'ExecuteUserScriptError:\nExitCode 137\nErrorMessage ""\nExtraInfo "OutOfMemory: Process killed by SIGKILL ' +
      '(signal 9)"\nCommand "/bin/sh -c ./run.sh "',
  );
  expect(failureText({ ...failure, returnCode: -9 })).not.toContain('ExtraInfo');
});

test('a long text gives way to what surrounds it', () => {
  expect(failureReason('x'.repeat(1024))).toHaveLength(1024);
  expect(failureReason('short')).toBe('AlgorithmError: short, exit code: 1');
});
