/**
 * Loaded into the stack's own process before anything else (`node --import`): carries out the faults that the campaign asks for over
 * IPC. Children that inherit the option stay as they are, because they have no such channel or another program to run.
 */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { random } from '../support/random.ts';
import type { Fault, Injected } from './fault.ts';

if (process.channel && process.argv[1]?.endsWith('src/cli/main.ts')) {
  process.channel.unref();
  const injected: Injected = {};
  const count = (name: string): void => void (injected[name] = (injected[name] ?? 0) + 1);
  let writesToDeath = Infinity;
  let refused = { code: '', calls: 0 };
  let clockOffsetMs = 0;
  let network = { rate: 0, throttle: 0 };
  let chance = random(0);

  process.on('message', (fault: Fault) => {
    switch (fault.kind) {
      case 'kill-at-write':
        writesToDeath = fault.writes;
        break;
      case 'refuse':
        refused = { code: fault.code, calls: fault.calls };
        break;
      case 'clock':
        if (fault.offsetMs !== 0) count('clock jump');
        clockOffsetMs = fault.offsetMs;
        break;
      case 'network':
        network = fault;
        chance = random(fault.seed);
        break;
      case 'tell':
        process.send?.(injected);
    }
  });

  // --- the disk: each call below is a point between two writes --------------------------------------------------------
  const before = (code: 'ENOSPC' | 'EMFILE', target: unknown): void => {
    const isStdio = typeof target === 'number' && target <= 2;
    if (isStdio) return;
    if (code === 'ENOSPC' && --writesToDeath <= 0) process.kill(process.pid, 'SIGKILL');
    if (refused.code !== code || refused.calls <= 0) return;
    refused.calls--;
    count(code);
    throw Object.assign(new Error(`${code}: refused by the campaign`), { code, errno: -1 });
  };
  const wrap = (holder: any, name: string, code: 'ENOSPC' | 'EMFILE', isAsync = false): void => {
    const original = holder[name];
    holder[name] = isAsync
      ? async function (this: unknown, ...args: unknown[]) {
          before(code, args[0]);
          return original.apply(this, args);
        }
      : function (this: unknown, ...args: unknown[]) {
          before(code, args[0]);
          return original.apply(this, args);
        };
  };
  for (const name of ['writeSync', 'writeFileSync', 'renameSync']) wrap(fs, name, 'ENOSPC');
  for (const name of ['writeFile', 'rename']) wrap(fsp, name, 'ENOSPC', true);
  wrap(fs, 'openSync', 'EMFILE');
  wrap(fsp, 'open', 'EMFILE', true);
  const handle = await fsp.open(import.meta.filename);
  const ofHandles = Object.getPrototypeOf(handle);
  for (const name of ['write', 'writev', 'writeFile']) wrap(ofHandles, name, 'ENOSPC', true);
  await handle.close();
  syncBuiltinESMExports();

  // --- the clock ------------------------------------------------------------------------------------------------------
  const SystemDate = Date;
  globalThis.Date = class extends SystemDate {
    constructor(...args: [any?, ...any[]]) {
      if (args.length === 0) super(SystemDate.now() + clockOffsetMs);
      else super(...(args as [number, number]));
    }
    static override now(): number {
      return SystemDate.now() + clockOffsetMs;
    }
  } as DateConstructor;

  // --- requests of the functions, the containers and the campaign itself -----------------------------------------------
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string | symbol, ...args: any[]): boolean {
    // Node takes the header from a clock of its own; clients correct theirs by it.
    if (event === 'request') args[1].setHeader('date', new Date().toUTCString());
    if (event === 'request' && interferes(args[0], args[1])) return true;
    return Reflect.apply(emit, this, [event, ...args]);
  };
  const interferes = (request: IncomingMessage, response: ServerResponse): boolean => {
    const target = String(request.headers['x-amz-target'] ?? '');
    if (target.startsWith('SageMaker.') && chance() < network.throttle) {
      count('SageMaker throttled');
      request.resume();
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': 'fault' });
      response.end('{"__type":"ThrottlingException","message":"Rate exceeded"}');
      return true;
    }
    const isS3 = String(request.headers.authorization).includes('/s3/aws4_request');
    if (!isS3 || chance() >= network.rate) return false;
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    const faults = [
      ['S3 500 before', [500, 'InternalError']],
      ['S3 503 before', [503, 'ServiceUnavailable']],
      ['S3 SlowDown before', [503, 'SlowDown']],
      ['S3 reset before', undefined],
      ...(writes
        ? ([
            ['S3 reset after', 'after'],
            ['S3 500 after', 'after'],
          ] as const)
        : []),
    ] as const;
    const [kind, answer] = faults[Math.floor(chance() * faults.length)]!;
    count(kind);
    if (answer === 'after') {
      const end = response.end.bind(response);
      response.write = () => true;
      response.end = (() => {
        if (kind === 'S3 reset after') response.socket?.destroy();
        else if (response.headersSent) response.socket?.destroy();
        else {
          response.writeHead(500);
          end(errorBody('InternalError'));
        }
        return response;
      }) as typeof response.end;
      return false;
    }
    if (answer === undefined) {
      request.socket.destroy();
      return true;
    }
    request.resume();
    response.writeHead(answer[0], { 'content-type': 'application/xml' });
    response.end(request.method === 'HEAD' ? undefined : errorBody(answer[1]));
    return true;
  };
}

function errorBody(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>refused by the campaign</Message></Error>`;
}
