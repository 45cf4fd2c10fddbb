import { upgradeTokenLife } from '../../client/index.ts';
import { formatDuration } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { UpgradesConnection } from './open-upgrades.ts';

/** Warns if the token may expire before the upgrade ends. Signs in to find out. */
export async function warnOfTokenExpiry(
  { client, renewsTokens }: UpgradesConnection,
  terminal: Pick<Terminal, 'say'>,
): Promise<void> {
  await client.signIn({ atLeast: upgradeTokenLife });
  const ends = client.tokenEnds();
  const left = (ends ?? Number.POSITIVE_INFINITY) - client.clock.now();
  if (upgradeTokenLife <= left && (renewsTokens || ends !== undefined)) return;
  if (renewsTokens) {
    terminal.say(
      `Tokens of the deployment are valid for ${formatDuration(left)}; they are renewed while the upgrade is watched.`,
    );
    return;
  }
  const until = ends === undefined ? 'The expiry of the token is unknown' : endOf(ends, left);
  terminal.say(
    `${until}, and an upgrade can take hours. The upgrade continues without it, but cannot be watched then: "logquarry sign-in --minutes 720" gets a token for half a day.`,
  );
}

function endOf(ends: number, left: number): string {
  const at = new Date(ends).toISOString();
  return left <= 0 ? `The token expired at ${at}` : `The token expires at ${at}, in ${formatDuration(left)}`;
}
