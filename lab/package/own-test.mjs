// A test as a user of the package writes it: in a project that has inferdrop and nothing else.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startLaptop } from 'inferdrop/laptop';

const [, , bin] = process.argv;
const before = { ...process.env };
const laptop = await startLaptop();
try {
  assert.deepEqual({ ...process.env }, before);

  const inferdrop = async (...args) => {
    const child = spawn(process.execPath, [bin, ...args], {
      env: { ...process.env, ...laptop.environment, SLS_AWS_MONITORING_FREQUENCY: '50' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    assert.equal(child.exitCode, 0, `inferdrop ${args.join(' ')}:\n${stdout}\n${stderr}`);
    return stdout + stderr;
  };

  await inferdrop('pipeline', 'put', 'pipeline', '--name', 'mine');
  const result = JSON.parse(
    (await inferdrop('drop', 'pipeline/images', '--pipeline', 'mine', '--name', 'one', '--wait', '--json'))
      .trimEnd()
      .split('\n')
      .find((line) => line.startsWith('{')),
  );
  assert.equal(result.accuracy, 0.936);
  assert.match(await inferdrop('runs'), /mine\/one\/000001/);
  assert.match(await inferdrop('pipeline', 'list'), /mine/);
  assert.match(await inferdrop('report', 'mine/one/000001', '--json'), /"accuracy":0.936/);
  assert.match(await inferdrop('model', 'inspect', 'pipeline/model.tar.gz'), /onnxruntime|converted|runs/);
  assert.match(await inferdrop('completion', 'bash'), /complete/);

  assert.match(await inferdrop('deploy', '--stage', 'second'), /Service deployed to stack inferdrop-second/);
  assert.match(await inferdrop('deploy', '--stage', 'second'), /No changes to deploy/);
  assert.match(await inferdrop('remove', '--stage', 'second'), /successfully removed/);
} finally {
  await laptop.close();
}
assert.deepEqual({ ...process.env }, before);
