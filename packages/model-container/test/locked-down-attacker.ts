/**
 * Stands for a script that has got hold of everything: it runs in the process that handlers run in, with Node's modules imported before
 * the process was locked down. Writes what came of each attempt as JSON.
 */
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import fs from 'node:fs';
import inspector from 'node:inspector';
import net from 'node:net';
import { WASI } from 'node:wasi';
import { Worker } from 'node:worker_threads';
import { lockDown } from '../handlers/lock-down.ts';

const [, , outside = '', port = '0', parent = '0'] = process.argv;
const node = process;
const { dlopen, exit, getBuiltinModule, kill } = process;
const binding: (name: string) => unknown = Reflect.get(process, 'binding');
lockDown(() => undefined);

const attempts: Record<string, () => unknown> = {
  'read a file': () => fs.readFileSync('/etc/hostname'),
  'read the environment of the shell': () => fs.readFileSync(`/proc/${parent}/environ`),
  'list a folder': () => fs.readdirSync('/'),
  'write a file': () => fs.writeFileSync(outside, 'x'),
  'make a link': () => fs.symlinkSync('/etc', outside),
  'run a program': () => childProcess.spawnSync('/bin/sh', ['-c', 'id']).stdout,
  fork: () => childProcess.fork(outside),
  'start a worker': () => new Worker('1', { eval: true }),
  'open the inspector': () => inspector.open(0),
  'make a WASI module': () => new WASI({ version: 'preview1' }),
  'load a library': () => dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6'),
  "reach Node's own modules": () => Reflect.apply(binding, node, ['fs']),
  connect: () => net.connect(Number(port), '127.0.0.1'),
  'connect to a Unix domain socket': () => net.connect('/var/run/docker.sock'),
  listen: () => net.createServer().listen(0),
  eval: () => (0, eval)('1'),
  Function: () => Function('return 1')(),
  'process.getBuiltinModule': () => Reflect.get(process, 'getBuiltinModule')('fs'),
  'process.kill': () => Reflect.get(process, 'kill')(Number(parent), 9),
  'process.binding': () => Reflect.get(process, 'binding')('fs'),
  fetch: () => Reflect.get(globalThis, 'fetch')(`http://127.0.0.1:${port}/`),
  WebSocket: () => Reflect.construct(Reflect.get(globalThis, 'WebSocket'), [`ws://127.0.0.1:${port}/`]),
  require: () => Reflect.get(globalThis, 'require')('fs'),
};
const results: Record<string, string> = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    results[name] = `GOT ${String(attempt())}`;
  } catch (error) {
    results[name] = `refused: ${error instanceof Error ? error.message : String(error)}`;
  }
}
results['import()'] = await import('node:os').then(
  () => 'GOT',
  (error: unknown) => `refused: ${String(error)}`,
);
/** Only namespaces close these, where a script has got hold of functions from before. */
const isolated: Record<string, string> = {};
try {
  kill(Number(parent), 0);
  isolated['kill'] = 'GOT';
} catch (error) {
  isolated['kill'] = `refused: ${String(error)}`;
}
isolated['UDP'] = await new Promise<string>((resolve) => {
  const socket = dgram.createSocket('udp4');
  socket.on('error', (error) => resolve(`refused: ${error.message}`));
  socket.send('x', 9, '192.0.2.1', (error) => resolve(error === null ? 'GOT' : `refused: ${error.message}`));
});
fs.writeSync(
  1,
  JSON.stringify({ results, isolated, variables: Object.keys(node.env), builtin: typeof getBuiltinModule }),
);
exit(0);
