import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AwsError } from '../kernel/aws-error.ts';
import type { Credentials } from '../kernel/permission.ts';
import type { InvokeResult, LogWriter, ObjectAccess } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { createConcurrency } from './concurrency.ts';
import { type FunctionConfig, FunctionRecord } from './function-config.ts';
import { toEnvironment } from './function-environment.ts';
import { createPool, type FunctionPool } from './function-pool.ts';
import { functionArn, parseFunctionReference } from './function-reference.ts';
import { unzip } from './unzip.ts';
import { writeWorkerFile } from './worker-file.ts';

/** Functions, their code on disk and their warm instances. */
export interface FunctionStore {
  records(): FunctionRecord[];
  has(target: string): boolean;
  /** @throws {AwsError} `ResourceNotFoundException` */
  record(target: string): FunctionRecord;
  /** @throws {AwsError} `ResourceNotFoundException` also for a version that was not published */
  config(target: string): FunctionConfig;
  /** Replaces the record; instances of an older `$LATEST` end when they have answered. */
  put(record: FunctionRecord): void;
  delete(name: string): void;
  /** Unzips an object once for each content. @throws {AwsError} `InvalidParameterValueException` */
  unpack(
    bucket: string,
    key: string,
  ): Promise<Pick<FunctionConfig, 'codeFolder' | 'codeSha256' | 'codeSize'>>;
  /** @throws {AwsError} `TooManyRequestsException` where the function's share of concurrent executions is used up */
  invoke(target: string, requestId: string, payload: Buffer): Promise<InvokeResult>;
  /** @throws {AwsError} `InvalidParameterValueException` where a function would leave too little for the others */
  checkReservation(name: string, reserved: number): void;
  close(): Promise<void>;
}

/** Opens the functions kept in `dir`. */
export function openFunctionStore(
  deps: ServiceBase & {
    /** The log of a function of this role. */
    readonly logsOf: (roleArn: string, functionName: string) => LogWriter;
    readonly objects: ObjectAccess;
    readonly credentialsOf: (roleArn: string, functionName: string) => Credentials;
    /** Whether Lambda may act as the role of a function. */
    readonly mayAssume: (roleArn: string, functionArn: string) => boolean;
    /** Executions at a time of the whole account. */
    readonly concurrency: number;
    readonly maxInstances: number;
    readonly idleMs: number;
  },
): FunctionStore {
  const { dir, site, clock, logsOf, credentialsOf } = deps;
  const documents = openDocuments(join(dir, 'functions.json'), FunctionRecord);
  const pools = new Map<string, FunctionPool>();
  /** Those of replaced code, which still answer what they had begun. */
  const retired = new Set<FunctionPool>();
  const concurrency = createConcurrency(deps.concurrency, () => documents.values());
  let workerFile: string | undefined;

  const find = (target: string): FunctionRecord => {
    const { name } = parseFunctionReference(target);
    const record = documents.get(name);
    if (record) return record;
    throw notFound(functionArn(site, name));
  };
  const configOf = (target: string): FunctionConfig => {
    const record = find(target);
    const { qualifier } = parseFunctionReference(target);
    const config = qualifier === '$LATEST' ? record.latest : record.versions[qualifier];
    if (config) return config;
    throw notFound(`${functionArn(site, record.name)}:${qualifier}`);
  };
  const poolOf = (target: string): FunctionPool => {
    const config = configOf(target);
    const { name, qualifier } = parseFunctionReference(target);
    const id = `${name}:${qualifier}`;
    const existing = pools.get(id);
    if (existing) return existing;
    const codeFolder = join(dir, config.codeFolder);
    const shared = { name, version: qualifier, config, codeFolder };
    workerFile ??= writeWorkerFile(dir);
    const pool = createPool({
      ...shared,
      workerFile,
      arn: functionArn(site, name) + (qualifier === '$LATEST' ? '' : `:${qualifier}`),
      environment: (logStream) =>
        toEnvironment({ ...shared, logStream, site, credentials: credentialsOf(config.role, name) }),
      maxInstances: deps.maxInstances,
      idleMs: deps.idleMs,
      clock,
      logs: logsOf(config.role, name),
    });
    pools.set(id, pool);
    return pool;
  };
  const retirePool = (id: string): void => {
    const pool = pools.get(id);
    if (!pool) return;
    pool.retire();
    pools.delete(id);
    retired.add(pool);
  };
  removeUnusedCode(join(dir, 'code'), documents.values());
  return {
    records: () => [...documents.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    has: (target) => documents.get(parseFunctionReference(target).name) !== undefined,
    record: find,
    config: configOf,
    put: (record) => {
      const before = documents.get(record.name);
      documents.set(record.name, record);
      if (before && JSON.stringify(before.latest) !== JSON.stringify(record.latest))
        retirePool(`${record.name}:$LATEST`);
    },
    delete: (name) => {
      documents.delete(name);
      for (const id of [...pools.keys()].filter((each) => each.startsWith(`${name}:`))) retirePool(id);
    },
    unpack: async (bucket, key) => {
      const archive = await deps.objects.read(bucket, key);
      if (!archive) throw invalid(`Error occurred while GetObject. s3://${bucket}/${key} does not exist.`);
      const sha256 = createHash('sha256').update(archive).digest();
      const codeFolder = join('code', sha256.toString('hex').slice(0, 32));
      const folder = join(dir, codeFolder);
      if (!existsSync(folder)) {
        const next = `${folder}.next`;
        await rm(next, { recursive: true, force: true });
        await unzip(archive, next).catch((error: unknown) => {
          throw invalid(
            `Could not unzip s3://${bucket}/${key}: ${error instanceof Error ? error.message : String(error)}`,
          );
        });
        await rename(next, folder);
      }
      return { codeFolder, codeSha256: sha256.toString('base64'), codeSize: archive.length };
    },
    invoke: async (target, requestId, payload) => {
      const record = find(target);
      if (!deps.mayAssume(configOf(target).role, functionArn(site, record.name)))
        throw new AwsError(
          'AccessDeniedException',
          'The role defined for the function cannot be assumed by Lambda.',
          { statusCode: 403 },
        );
      return concurrency.run(record, () => poolOf(target).invoke(requestId, payload));
    },
    checkReservation: concurrency.checkReservation,
    close: async () => {
      await Promise.all([...pools.values(), ...retired].map((pool) => pool.close()));
      pools.clear();
    },
  };
}

/** Code that an earlier deployment used, and what was compiled of it. */
function removeUnusedCode(folder: string, records: Iterable<FunctionRecord>): void {
  if (!existsSync(folder)) return;
  const used = new Set<string>();
  for (const { latest, versions } of records) {
    for (const { codeFolder } of [latest, ...Object.values(versions)]) used.add(basename(codeFolder));
  }
  for (const name of readdirSync(folder)) {
    if (!used.has(name.split('.')[0] ?? '')) rmSync(join(folder, name), { recursive: true });
  }
}

function notFound(arn: string): AwsError {
  return new AwsError('ResourceNotFoundException', `Function not found: ${arn}`, {
    statusCode: 404,
    details: { Type: 'User' },
  });
}

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterValueException', message, { details: { Type: 'User' } });
}
