import type { Site } from './site.ts';

/** The organisation's current log level: the one of the last edit, else the initial one. */
export function currentLogLevel({ state, settings }: Pick<Site, 'state' | 'settings'>): string {
  return state.read().logSettings?.logLevel ?? settings.logLevel;
}
