import type * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { XmlValue } from '../../kernel/xml.ts';
import { readVerifiedXml } from '../body/read-verified-xml.ts';
import type { S3Operation } from '../operation.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { XmlForm } from '../xml/read-xml.ts';
import { s3Xml } from '../xml/s3-xml.ts';

/** A subresource of a bucket that is an XML document: put, kept as its parsed form, and given back. */
export interface BucketConfiguration<T extends XmlValue> extends XmlForm<T> {
  /** The query parameter, and the name under which it is kept. */
  readonly subresource: string;
  /** Noun such as `BucketEncryption`: the calls are `Put…`, `Get…` and `Delete…` of it. */
  readonly noun: string;
  readonly schema: z.ZodType<T>;
  /** Checks beyond the schema. @throws {AwsError} */
  readonly check?: (value: T) => void;
  /** Answer of a bucket without it: an error, or a document. */
  readonly absent: { readonly code: string; readonly message: string } | { readonly value: T };
}

/** The `Put…` call of a configuration: parses, checks and keeps it; `MalformedXML` for elements that this stack does not know. */
export function putConfiguration<T extends XmlValue>(configuration: BucketConfiguration<T>): S3Operation {
  return {
    name: `Put${configuration.noun}`,
    method: 'PUT',
    on: 'bucket',
    needs: [configuration.subresource],
    async run(call, storage) {
      storage.catalog.bucket(call.bucket);
      keepConfiguration(storage, call.bucket, configuration, await readVerifiedXml(call, configuration));
      return {};
    },
  };
}

/** The `Get…` call of a configuration: its parsed form written as XML, or what `absent` says. */
export function getConfiguration<T extends XmlValue>(configuration: BucketConfiguration<T>): S3Operation {
  const { subresource, root, schema, absent, noun } = configuration;
  return {
    name: `Get${noun}`,
    method: 'GET',
    on: 'bucket',
    needs: [subresource],
    run({ bucket }, { catalog }) {
      const kept = catalog.bucket(bucket).configurations.get(subresource);
      if (kept !== undefined) return { xml: s3Xml(root, schema.parse(kept)) };
      if ('value' in absent) return { xml: s3Xml(root, absent.value) };
      throw new AwsError(absent.code, absent.message, { statusCode: 404, details: { BucketName: bucket } });
    },
  };
}

/** The `Delete…` call of a configuration: 204, even if the bucket has no configuration. */
export function deleteConfiguration(configuration: {
  readonly subresource: string;
  readonly noun: string;
}): S3Operation {
  return {
    name: `Delete${configuration.noun}`,
    method: 'DELETE',
    on: 'bucket',
    needs: [configuration.subresource],
    run({ bucket }, storage) {
      storage.catalog.bucket(bucket);
      storage.commit({ op: 'configure', bucket, name: configuration.subresource, value: null });
      return { status: 204 };
    },
  };
}

/** Keeps a configuration that has been parsed; undefined removes it. Nothing is written where nothing changes. */
export function keepConfiguration<T extends XmlValue>(
  storage: ObjectStorage,
  bucket: string,
  { subresource, check }: BucketConfiguration<T>,
  value: T | undefined,
): void {
  if (value !== undefined) check?.(value);
  const kept = storage.catalog.bucket(bucket).configurations.get(subresource) ?? null;
  if (JSON.stringify(kept) === JSON.stringify(value ?? null)) return;
  storage.commit({ op: 'configure', bucket, name: subresource, value: value ?? null });
}
