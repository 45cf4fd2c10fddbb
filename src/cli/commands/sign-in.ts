import { type FetchedToken, fetchToken, openClient } from '../../client/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { writeOutput } from '../command-line/write-output.ts';
import { readConnection } from '../deployment/connection.ts';
import {
  type ConnectionProfile,
  readChosenProfile,
  readNamedProfile,
  saveProfile,
} from '../deployment/profile.ts';
import { checkProfileName } from '../deployment/profile-folder.ts';
import type { signInSpec, signOutSpec } from '../specs/deployment-specs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toJson } from '../terminal/text.ts';
import { absolutePaths } from './profile.ts';

type Options = CommandCall<typeof signInSpec>['options'];

/** Gets a token and saves it in a profile. */
export const signInCommand: RunCommand<typeof signInSpec> = async ({ options: writtenOptions, terminal }) => {
  const { out, save } = writtenOptions;
  if (out === undefined && save === undefined) {
    throw new UsageError('--out FILE or --save NAME is required: the profile to write');
  }
  const options = await withOwnProfile(writtenOptions, terminal);
  const { addresses, credentials, network } = await readConnection(options, terminal, { isNew: true });
  if (credentials.kind !== 'password') {
    throw new UsageError('A token is already given; getting a new one requires a user and a password');
  }
  const fetched = await fetchToken({
    addresses,
    network,
    credentials: { ...credentials, minutes: options.minutes },
  });
  const { root } = addresses;
  const profile = await profileOf({ root, user: credentials.username, fetched, options }, terminal);
  const { token } = fetched;
  if (save === undefined) {
    const text = `${JSON.stringify({ ...profile, token }, null, 2)}\n`;
    await writeOutput(text, { path: out, terminal, secret: true });
  } else {
    const secret = { kind: 'token', value: token } as const;
    await saveProfile({ name: save, profile, secret, root, noKeyRing: options.noKeyRing }, terminal);
  }
  const ends = new Date(fetched.expires).toISOString();
  if (options.json) await terminal.print(`${toJson({ profile: save ?? out, expires: ends })}\n`);
  else terminal.message(`The token expires at ${ends}.`);
  return exitCodes.done;
};

/** Takes connection options from the profile that `--save` replaces, unless another one is given. */
async function withOwnProfile(options: Options, { environment }: Terminal): Promise<Options> {
  if (options.save === undefined) return options;
  const found = await readNamedProfile(checkProfileName(options.save), environment);
  return found && options.profile === undefined ? { ...options, profile: options.save } : options;
}

interface SignedIn {
  readonly root: string;
  readonly user: string;
  readonly fetched: FetchedToken;
  readonly options: Options;
}

/** The last time with a four-digit year, milliseconds since the epoch. A later expiry means no expiry. */
const lastTime = Date.UTC(9999, 11, 31);

/** Builds the profile of a token, without the token. Its address is the base of all other addresses. */
async function profileOf(
  { root, user, fetched, options }: SignedIn,
  { environment }: Terminal,
): Promise<Omit<ConnectionProfile, 'token' | 'password' | 'keyRing'>> {
  const earlier =
    options.profile === undefined ? undefined : await readChosenProfile(options.profile, environment);
  const { ca, cert, key, proxy } = { ...earlier?.profile };
  const files = absolutePaths({
    ca: options.ca ?? ca,
    cert: options.cert ?? cert,
    key: options.key ?? key,
  });
  const through = options.proxy ?? proxy;
  const { referer, expires } = fetched;
  return {
    url: root,
    user,
    ...(referer !== undefined && { referer }),
    ...files,
    ...(through !== undefined && { proxy: through }),
    ...(expires < lastTime && { expires: new Date(expires).toISOString() }),
  };
}

/** Revokes the token of a profile, a file or the environment. */
export const signOutCommand: RunCommand<typeof signOutSpec> = async ({ options, terminal }) => {
  const connection = await readConnection(options, terminal, { isLast: true });
  if (connection.credentials.kind !== 'token') {
    throw new UsageError('A token is required: --profile FILE, --token-file FILE or LOGQUARRY_TOKEN');
  }
  await using client = openClient(connection);
  const ended = await client.signOut();
  terminal.message(
    ended
      ? 'The token was revoked.'
      : 'The deployment did not revoke the token: it stays valid until it expires.',
  );
  return ended ? exitCodes.done : exitCodes.no;
};
