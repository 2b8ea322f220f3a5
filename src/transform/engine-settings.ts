import * as z from 'zod';

/** What carries out a job, with the settings of that job: one member an engine. */
export const EngineSettings = z.discriminatedUnion('name', [
  z.object({
    /** SageMaker batch transform. */
    name: z.literal('sagemaker'),
    instanceType: z.string(),
    instanceCount: z.int().min(1),
    maxConcurrentTransforms: z.int().min(1),
    maxPayloadInMB: z.int().min(1),
  }),
]);
export type EngineSettings = z.infer<typeof EngineSettings>;

/** Name of an engine. */
export type EngineName = EngineSettings['name'];

/** The settings of one engine. */
export type SettingsOf<Name extends EngineName> = Extract<EngineSettings, { readonly name: Name }>;

/**
 * The settings as those of the engine that is asked: it is chosen by their name.
 *
 * @throws {RangeError} where they are another engine's
 */
export function settingsOf<Name extends EngineName>(name: Name, settings: EngineSettings): SettingsOf<Name> {
  if (isOf(name, settings)) return settings;
  throw new RangeError(`engine ${name} was asked about a job of engine ${settings.name}`);
}

function isOf<Name extends EngineName>(name: Name, settings: EngineSettings): settings is SettingsOf<Name> {
  return settings.name === name;
}
