import type { Terminal } from '../terminal/terminal.ts';
import type { SecretSource, SettingLayer } from './setting-layers.ts';

/** Search for a secret. */
export interface SecretWanted {
  /** User to sign in, if known: a password belongs to its own user only. */
  readonly user: string | undefined;
  /** True ignores the tokens of profiles, for a sign-in that gets a new one. */
  readonly isNew?: boolean;
}

/**
 * Returns the first matching secret of the layers. An expired token is used only if there is no other
 * secret.
 */
export function chooseSecret(
  layers: readonly SettingLayer[],
  { user, isNew = false }: SecretWanted,
): (SecretSource & { readonly of: SettingLayer }) | undefined {
  const fitting = layers.flatMap((layer) =>
    user === undefined || (layer.settings.user ?? user) === user
      ? layer.secrets
          .filter(({ kind }) => !(isNew && layer.isProfile && kind === 'token'))
          .map((secret) => ({ ...secret, of: layer }))
      : [],
  );
  return fitting.find(({ expires }) => expires === undefined || Date.now() < expires) ?? fitting[0];
}

/** Time before the expiry at which a warning is due. Milliseconds. */
const soon = 15 * 60_000;

/**
 * Warns of a token that is expired or expires soon. It is still used, because the clock here may be
 * wrong.
 */
export function reportTokenExpiry(
  { expires, of }: SecretSource & { readonly of: SettingLayer },
  { say }: Terminal,
): void {
  if (expires === undefined || Date.now() + soon < expires) return;
  const at = new Date(expires).toISOString();
  if (expires <= Date.now())
    say(`The token of ${of.name} expired at ${at}: sign in again with "logquarry sign-in".`);
  else
    say(
      `The token of ${of.name} expires in ${Math.max(1, Math.round((expires - Date.now()) / 60_000))} min, at ${at}.`,
    );
}
