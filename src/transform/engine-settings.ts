import * as z from 'zod';
import { BundleBounds } from './request-limits.ts';

/** Measured figures of jobs with some settings, for one instance or function; absent if quotes use a rule of thumb. */
const Measured = z.object({
  inputsPerSecond: z.number().positive(),
  startupSeconds: z.number().nonnegative(),
});

/** The engine that carries out a job, with its settings for that job: one member for each engine. */
export const EngineSettings = z.discriminatedUnion('name', [
  z.object({
    /** SageMaker batch transform. */
    name: z.literal('sagemaker'),
    instanceType: z.string(),
    instanceCount: z.int().min(1),
    maxConcurrentTransforms: z.int().min(1),
    maxPayloadInMB: z.int().min(1),
    /** Absent if each input is a request of its own. */
    bundle: BundleBounds.optional(),
    measured: Measured.optional(),
  }),
  z.object({
    /** A function of AWS Lambda, which takes one bundle of inputs at a time. */
    name: z.literal('lambda'),
    /** Memory of the function, by which its time is paid. */
    memoryMB: z.int().min(128),
    /** Bundles at once. */
    maxConcurrency: z.int().min(1),
    measured: Measured.optional(),
  }),
]);
export type EngineSettings = z.infer<typeof EngineSettings>;

/** Names of engines. */
export const ENGINE_NAMES = ['sagemaker', 'lambda'] as const satisfies readonly EngineSettings['name'][];
/** One of them. */
export type EngineName = EngineSettings['name'];

/** The settings of one engine. */
export type SettingsOf<Name extends EngineName> = Extract<EngineSettings, { readonly name: Name }>;

/**
 * Settings of a job or of a plan, narrowed to the engine that was chosen by their name.
 *
 * @throws {RangeError} if they are another engine's
 */
export function settingsOf<Name extends EngineName, Settings extends { readonly name: EngineName }>(
  name: Name,
  settings: Settings,
): Extract<Settings, { readonly name: Name }> {
  if (isOf(name, settings)) return settings;
  throw new RangeError(`engine ${name} was asked about a job of engine ${settings.name}`);
}

function isOf<Name extends EngineName, Settings extends { readonly name: EngineName }>(
  name: Name,
  settings: Settings,
): settings is Extract<Settings, { readonly name: Name }> {
  return settings.name === name;
}

/** One text for settings of the same engine and hardware that ask the same of it, whatever has been measured. */
export function settingsKey({ measured: _measured, ...asked }: EngineSettings): string {
  return JSON.stringify(Object.entries(asked).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
