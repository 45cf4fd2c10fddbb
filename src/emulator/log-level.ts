import type { Site } from './site.ts';

/** The organisation's current log level: the one that was edited last, else the one that it began with. */
export function currentLogLevel({ state, settings }: Pick<Site, 'state' | 'settings'>): string {
  return state.read().logSettings?.logLevel ?? settings.logLevel;
}
