import type { Terminal } from '../terminal/terminal.ts';
import type { Layer, SecretSource } from './setting-layers.ts';

/** Whom and what a secret is looked for. */
export interface SecretWanted {
  /** User that signs in, where known: a password counts for its own user only. */
  readonly user: string | undefined;
  /** True leaves out the tokens of profiles, as for a sign-in that gets a new one. */
  readonly isNew?: boolean;
}

/** The first secret of layers that fits. A token that has ended counts only where there is nothing else. */
export function chosenSecret(
  layers: readonly Layer[],
  { user, isNew = false }: SecretWanted,
): (SecretSource & { readonly of: Layer }) | undefined {
  const fitting = layers.flatMap((layer) =>
    user === undefined || (layer.settings.user ?? user) === user
      ? layer.secrets
          .filter(({ kind }) => !(isNew && layer.isProfile && kind === 'token'))
          .map((secret) => ({ ...secret, of: layer }))
      : [],
  );
  return fitting.find(({ expires }) => expires === undefined || Date.now() < expires) ?? fitting[0];
}

/** A token that ends within so many milliseconds is said to end soon. */
const soon = 15 * 60_000;

/** Says when a token has ended or ends soon. The clock here may be wrong, so it is used all the same. */
export function sayExpiry({ expires, of }: SecretSource & { readonly of: Layer }, { say }: Terminal): void {
  if (expires === undefined || Date.now() + soon < expires) return;
  const at = new Date(expires).toISOString();
  if (expires <= Date.now())
    say(`The token of ${of.name} ended at ${at}: sign in again by "logquarry sign-in".`);
  else
    say(
      `The token of ${of.name} ends in ${Math.max(1, Math.round((expires - Date.now()) / 60_000))} min, at ${at}.`,
    );
}
