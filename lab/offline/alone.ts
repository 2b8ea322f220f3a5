/**
 * `npm run test:offline`, the part in a network namespace of its own: loopback is up, there is no route, and the only name server is the
 * one below, which records its queries and resolves no name. Prints as JSON the addresses that the example has tried to reach.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { questionOf } from './question.ts';

const [resolver = '', ...command] = process.argv.slice(2);
must('ip', 'link', 'set', 'lo', 'up');
must('mount', '--bind', resolver, '/etc/resolv.conf');

const names = new Set<string>();
const server = createSocket('udp4', (message, { port, address }) => {
  names.add(questionOf(message));
  server.send(refusal(message), port, address);
});
server.bind(53, '127.0.0.1');
await once(server, 'listening');

const child = spawn(process.execPath, [path.resolve('bin', 'inferdrop.mjs'), ...command], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const [code] = await once(child, 'exit');
server.close();
process.stdout.write(`${JSON.stringify({ code, names: [...names], unroutable: unroutable() })}\n`);

function must(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/** The same message as an answer that says NXDOMAIN (RFC 1035, 4.1.1). */
function refusal(message: Buffer): Buffer {
  const answer = Buffer.from(message);
  answer.writeUInt16BE(0x8183, 2);
  return answer;
}

/** Packets and connections of this namespace to an address that no route leads to, as the kernel counts them. */
function unroutable(): number {
  const [names = [], values = []] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Ip:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('OutNoRoutes')]);
}
