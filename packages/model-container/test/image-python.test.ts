import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { pythonMinorOf } from '../image.ts';
import { startScript } from './support/pyodide-script.ts';

const read = (name: string): string => readFileSync(new URL(`./support/${name}`, import.meta.url), 'utf8');

/** A script that answers what an expression of Python has. */
const calculator = (setup: string) => ({
  'inference.py': `${setup}
def handler(data, context):
    return repr(eval(data.read().decode())), 'text/plain'
`,
});

test('300 drawn uses of struct, array and hash are answered as by CPython 3.12 on 64-bit Linux', async () => {
  const { ask } = await startScript({
    'draw_python.py': read('draw_python.py'),
    'inference.py': `
import json, draw_python
def handler(data, context):
    return json.dumps(draw_python.draw(2026, 100)), 'application/json'
`,
  });
  expect(JSON.parse(await ask())).toEqual(JSON.parse(read('python-3.12-answers.json')));
});

test('the hash of None is a constant since Python 3.12', async () => {
  const { ask } = await startScript(calculator(''), { pythonMinor: 12 });
  expect(await ask('hash(None)')).toBe('4238894112');
  const { ask: older } = await startScript(calculator(''), { pythonMinor: 10 });
  expect(await older('hash(None)')).not.toBe('4238894112');
});

test('coroutines and pools run, whose calls take their time', async () => {
  const { ask } = await startScript(
    calculator(`
import asyncio, concurrent.futures

async def late(value):
    await asyncio.sleep(0.01)
    return value

async def work():
    found = await asyncio.gather(late(1), late(2), asyncio.to_thread(lambda: 3))
    try:
        await asyncio.wait_for(asyncio.sleep(60), 0.02)
    except asyncio.TimeoutError:
        found.append('too late')
    return found

async def never():
    await asyncio.Event().wait()

def own():
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work())
    finally:
        loop.close()

def pool():
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as threads:
        failing = threads.submit(lambda: 1 / 0)
        return list(threads.map(lambda one: one * one, [1, 2, 3])), type(failing.exception()).__name__
`),
  );
  const answered = "[1, 2, 3, 'too late']";
  expect(await ask('asyncio.run(work())')).toBe(answered);
  expect(await ask('asyncio.get_event_loop().run_until_complete(work())')).toBe(answered);
  expect(await ask('own()')).toBe(answered);
  expect(await ask('pool()')).toBe("([1, 4, 9], 'ZeroDivisionError')");
  expect(await ask('asyncio.run(never())')).toContain('the coroutine waits for something that never comes');
});

test('what is compressed is read whole, and files have the largest size that there is', async () => {
  const { ask } = await startScript(calculator('import bz2, gzip, io, lzma'));
  for (const kind of ['gzip', 'bz2', 'lzma'])
    expect(await ask(`${kind}.open(io.BytesIO(${kind}.compress(b"abc"))).read()`)).toBe("b'abc'");
});

test("the clock is the image's, in UTC, wherever the machine stands", async () => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  const { ask } = await startScript(calculator('import datetime, time'));
  expect(await ask('time.tzname, time.timezone, time.strftime("%Z %z")')).toBe(
    "(('UTC', 'UTC'), 0, 'UTC +0000')",
  );
  expect(await ask('datetime.datetime.now().astimezone().tzname()')).toBe("'UTC'");
  expect(await ask('datetime.datetime.fromtimestamp(0).hour')).toBe('0');
  vi.unstubAllEnvs();
});

test.each([
  ['r/tensorflow-inference:2.20-cpu-py312-amzn2023-sagemaker-v1', 12],
  ['r/tensorflow-inference-graviton:2.16.1-cpu-py310-ubuntu20.04-sagemaker', 10],
  ['r/tensorflow-inference:2.19.0-cpu', 12],
  ['r/tensorflow-inference@sha256:abc', 12],
])('the image %s has Python 3.%i', (image, minor) => {
  expect(pythonMinorOf(image)).toBe(minor);
});
