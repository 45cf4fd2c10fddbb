import { fetchToken, openClient } from '../../client/index.ts';
import type { Run } from '../command-line/command.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readConnection } from '../deployment/connection.ts';
import { exitCodes } from '../exit-code.ts';
import { writeOutput } from '../output/write-output.ts';
import type { signInSpec, signOutSpec } from '../specs/sign-in.ts';
import { toJson } from '../terminal/printable.ts';

/** Gets a token and keeps it in a profile. */
export const signIn: Run<typeof signInSpec> = async ({ options, terminal }) => {
  if (options.out === undefined) throw new UsageError('"--out FILE" is required: the profile to write');
  const { addresses, credentials, network } = await readConnection(options, terminal);
  if (credentials.kind !== 'password') {
    throw new UsageError('A token is given already; to get one, a user and a password are required');
  }
  const fetched = await fetchToken({
    addresses,
    network,
    credentials: { ...credentials, minutes: options.minutes },
  });
  const { token, referer, expires } = fetched;
  const ends = new Date(expires).toISOString();
  // The profile names the deployment by the address that everything else is found from.
  const profile = {
    url: addresses.root,
    token,
    expires: ends,
    ...(referer !== undefined && { referer }),
    ...caOf(options.ca),
  };
  await writeOutput(`${JSON.stringify(profile, null, 2)}\n`, { path: options.out, terminal, secret: true });
  if (options.json) await terminal.print(`${toJson({ profile: options.out, expires: ends })}\n`);
  else terminal.say(`The token ends at ${ends}.`);
  return exitCodes.done;
};

function caOf(ca: string | undefined): { readonly ca?: string } {
  return ca === undefined ? {} : { ca };
}

/** Ends the token that a profile, a file or the environment holds. */
export const signOut: Run<typeof signOutSpec> = async ({ options, terminal }) => {
  const connection = await readConnection(options, terminal);
  if (connection.credentials.kind !== 'token') {
    throw new UsageError('A token is required: "--profile FILE", "--token-file FILE" or LOGQUARRY_TOKEN');
  }
  await using client = openClient(connection);
  const ended = await client.signOut();
  terminal.say(
    ended ? 'The token has ended.' : 'The deployment did not end the token: it ends when its time is over.',
  );
  return ended ? exitCodes.done : exitCodes.no;
};
