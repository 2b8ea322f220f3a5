/**
 * Loaded into the stack's own process before anything else (`node --import`): carries out the faults that the campaign asks for over
 * IPC. Children that inherit the option stay as they are, because they have no such channel or another program to run.
 */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { dateAnswers, shareClock } from '../../test/support/machine-clock.ts';
import { random } from '../../test/support/random.ts';
import { callerOf } from './caller-of.ts';
import type { Fault, Injected } from './fault.ts';
import { functionName } from './function-name.ts';
import type { SendingEvent } from './sending.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const MAX_DELAY_MS = 3000;

if (process.channel && process.argv[1]?.endsWith('src/cli/main.ts')) {
  process.channel.unref();
  const dataDir = path.resolve(process.argv[process.argv.indexOf('--data') + 1]!);
  const testament = fs.openSync(process.env['FAULTS_TESTAMENT']!, 'a');
  const sendings = fs.openSync(process.env['FAULTS_SENDINGS']!, 'a');
  const injected: Injected = {};
  const count = (name: string): void => void (injected[name] = (injected[name] ?? 0) + 1);
  let writesToDeath = { writes: Infinity, after: false };
  let fatalPlace = { place: '', after: false };
  let requestsToDeath = { requests: Infinity, after: false };
  let refused = { code: '', calls: 0 };
  let network = { rate: 0, throttle: 0, delay: 0 };
  let chance = random(0);
  const recent = new Set<string>();

  process.on('message', (fault: Fault) => {
    switch (fault.kind) {
      case 'kill-at-write':
        writesToDeath = fault;
        break;
      case 'kill-at-place':
        fatalPlace = fault;
        break;
      case 'kill-caller':
        requestsToDeath = fault;
        break;
      case 'refuse':
        refused = { code: fault.code, calls: fault.calls };
        break;
      case 'network':
        network = fault;
        chance = random(fault.seed);
        break;
      case 'tell':
        process.send?.({ question: fault.question, injected, places: [...recent] });
        recent.clear();
    }
  });

  // --- the disk: each call below is a point between two writes --------------------------------------------------------
  const writeSync = fs.writeSync;
  /** Exits the process; faults not yet reported go to a file, since a killed process reports nothing more. */
  const die = (place: string): never => {
    writeSync(testament, `${JSON.stringify({ place, injected })}\n`);
    process.kill(process.pid, 'SIGKILL');
    for (;;);
  };
  const tell = (event: SendingEvent): void => void writeSync(sendings, `${JSON.stringify(event)}\n`);
  const refuse = (code: 'ENOSPC' | 'EMFILE'): Error | undefined => {
    if (refused.code !== code || refused.calls <= 0) return undefined;
    refused.calls--;
    count(code);
    return Object.assign(new Error(`${code}: refused by the campaign`), { code, errno: -1 });
  };
  /** A call that changes the disk: what to do when it is done, unless it is the last or fails. */
  const meet = (target: unknown, canBeFull: boolean): { error?: Error; done: () => void } => {
    const isStdio = typeof target === 'number' && target <= 2;
    if (isStdio) return { done: () => undefined };
    const place = placeOf(target);
    if (place !== undefined) recent.add(place);
    writesToDeath.writes--;
    const isFatal = writesToDeath.writes <= 0 || (fatalPlace.place !== '' && place === fatalPlace.place);
    const { after } = writesToDeath.writes <= 0 ? writesToDeath : fatalPlace;
    if (isFatal && !after) die(`before ${place}`);
    const error = canBeFull ? refuse('ENOSPC') : undefined;
    return { ...(error && { error }), done: () => isFatal && die(`after ${place}`) };
  };
  const placeOf = (target: unknown): string | undefined => {
    const frame = new Error().stack
      ?.split('\n')
      .find(
        (line) => /\/(packages|src|scripts)\/[^ ]+\.m?ts:\d+/.test(line) && !line.includes('/lab/faults/'),
      );
    if (frame === undefined) return undefined;
    const code = /((?:packages|src|scripts)\/[^ :]+:\d+)/.exec(frame.replace(ROOT, ''))?.[1];
    return `${code} → ${kindOfFile(target)}`;
  };
  const kindOfFile = (target: unknown): string => {
    try {
      const file = typeof target === 'number' ? fs.readlinkSync(`/proc/self/fd/${target}`) : String(target);
      return path
        .relative(dataDir, file)
        .replace(/(^|\/)[0-9a-f]{2}(?=\/|$)/g, '$1*')
        .replace(/[0-9a-f]{4,}(-[0-9a-f]{4,})*|(?<![a-z])\d+/g, '*')
        .replace(/\*[\w*-]*/g, '*')
        .replace(/[^/]*[\w-]{30,}/g, '*')
        .replace(/(?<=sagemaker\/work\/[a-z]+-)[^/]+/, '*');
    } catch {
      return '?';
    }
  };
  type Call = 'change' | 'remove' | 'open';
  const wrap = (holder: any, name: string, call: Call, style: 'sync' | 'promise' | 'callback'): void => {
    const original = holder[name];
    const begin = (self: unknown, target: unknown): { error?: Error; done: () => void } => {
      if (call !== 'open')
        return meet((self as { fd?: number } | undefined)?.fd ?? target, call === 'change');
      const error = refuse('EMFILE');
      return { ...(error && { error }), done: () => undefined };
    };
    const wrapped = {
      sync(this: unknown, ...args: unknown[]) {
        const { error, done } = begin(this, args[0]);
        if (error) throw error;
        const result = original.apply(this, args);
        done();
        return result;
      },
      async promise(this: unknown, ...args: unknown[]) {
        const { error, done } = begin(this, args[0]);
        if (error) throw error;
        const result = await original.apply(this, args);
        done();
        return result;
      },
      callback(this: unknown, ...args: unknown[]) {
        const callback = args.at(-1) as (...given: unknown[]) => void;
        const { error, done } = begin(this, args[0]);
        if (error) return void process.nextTick(callback, error);
        const told = (...given: unknown[]): void => {
          done();
          callback(...given);
        };
        return original.apply(this, [...args.slice(0, -1), told]);
      },
    };
    holder[name] = wrapped[style];
  };
  for (const name of ['writeSync', 'writeFileSync', 'renameSync', 'ftruncateSync', 'mkdirSync', 'linkSync'])
    wrap(fs, name, 'change', 'sync');
  for (const name of ['unlinkSync', 'rmSync']) wrap(fs, name, 'remove', 'sync');
  for (const name of ['write', 'writev']) wrap(fs, name, 'change', 'callback');
  for (const name of ['writeFile', 'rename', 'mkdir', 'link', 'copyFile'])
    wrap(fsp, name, 'change', 'promise');
  for (const name of ['unlink', 'rm']) wrap(fsp, name, 'remove', 'promise');
  wrap(fs, 'openSync', 'open', 'sync');
  wrap(fs, 'open', 'open', 'callback');
  wrap(fsp, 'open', 'open', 'promise');
  const handle = await fsp.open(import.meta.filename);
  const ofHandles = Object.getPrototypeOf(handle);
  for (const name of ['write', 'writev', 'writeFile']) wrap(ofHandles, name, 'change', 'promise');
  await handle.close();

  // --- the machine's clock, in the processes of functions and models as in this one -----------------------------------
  shareClock(process.env['FAULTS_CLOCK']);
  dateAnswers(() => Date.now());
  syncBuiltinESMExports();

  // --- requests of the functions, the containers and the campaign itself -----------------------------------------------
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string | symbol, ...args: any[]): boolean {
    const pass = (): boolean => Reflect.apply(emit, this, [event, ...args]);
    if (event !== 'request') return pass();
    if (isToAws(args[0])) {
      watchSender(args[0], args[1]);
      endCaller(args[0], args[1]);
    }
    if (interferes(args[0], args[1])) return true;
    if (!isToAws(args[0]) || chance() >= network.delay) return pass();
    count('request delayed');
    setTimeout(pass, chance() * MAX_DELAY_MS);
    return true;
  };
  const isToAws = ({ headers }: IncomingMessage): boolean =>
    /\/(s3|sagemaker|states|sns)\/aws4_request/.test(String(headers.authorization));
  const changes = ({ method, headers }: IncomingMessage): boolean =>
    method !== 'GET' &&
    method !== 'HEAD' &&
    !/\.(Describe|List|Get|Receive)/.test(String(headers['x-amz-target'] ?? ''));
  /** The run that each process of `notify` has looked up a message for: the one that it sends next. */
  const senders = new Map<number, string>();
  const watchSender = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? '', 'http://stack');
    const [, own] = /\/runs\/([^/]+\/[^/]+\/[^/]+)\/message\.json$/.exec(decodeURIComponent(pathname)) ?? [];
    const isPublish = String(request.headers.authorization).includes('/sns/aws4_request');
    if (own === undefined && !isPublish) return;
    const pid = callerOf(request.socket);
    if (pid === undefined) return;
    if (own !== undefined) senders.set(pid, own);
    const run = senders.get(pid);
    if (run === undefined || !changes(request)) return;
    if (isPublish) tell({ event: 'publishes', run, pid });
    response.once('close', () => {
      if (!response.writableFinished || response.statusCode >= 500) tell({ event: 'failed', run, pid });
      else if (!isPublish && response.statusCode < 300) tell({ event: 'noted', run, pid });
    });
  };
  /** A function dies between two of its changes, as the process of a Lambda does that runs out of memory. */
  const endCaller = (request: IncomingMessage, response: ServerResponse): void => {
    if (requestsToDeath.requests === Infinity || !changes(request)) return;
    const caller = callerOf(request.socket);
    if (caller === undefined || --requestsToDeath.requests > 0) return;
    const { after } = requestsToDeath;
    requestsToDeath = { requests: Infinity, after };
    const kill = (): void => {
      count(
        `${functionName(caller).includes('endpoint') ? 'endpoint ' : ''}function killed ${after ? 'after' : 'before'} its request`,
      );
      tell({ event: 'killed', pid: caller });
      process.kill(caller, 'SIGKILL');
    };
    if (!after) return kill();
    const end = response.end;
    response.end = function (this: ServerResponse, ...args: unknown[]) {
      kill();
      return Reflect.apply(end, this, args);
    } as typeof response.end;
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
    const faults = [
      ['S3 500 before', [500, 'InternalError']],
      ['S3 503 before', [503, 'ServiceUnavailable']],
      ['S3 SlowDown before', [503, 'SlowDown']],
      ['S3 reset before', undefined],
      ...(changes(request)
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
