import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * What a user may do. The right to export and the right to download are different ones (field notes).
 * Jobs belong to the user who submitted them; `manageJobs` opens those of others, as administrators need it.
 */
export const privileges = [
  'exportLogs',
  'manageLogs',
  'downloadUploads',
  'uploadFiles',
  'manageJobs',
  'manageProperties',
  'manageUpgrades',
] as const;

/** The name of a privilege. */
export type Privilege = (typeof privileges)[number];

/** Someone who can sign in. */
export interface User {
  readonly username: string;
  readonly privileges: readonly Privilege[];
}

/** A user as a deployment is given one. Holds a secret. */
export interface Account {
  readonly username: string;
  readonly password: string;
  /** All of them unless given. */
  readonly privileges?: readonly Privilege[];
}

/** The user whose name and password these are, or undefined. Takes the same time for all of them. */
export type SignIn = (username: string, password: string) => User | undefined;

/** The account of a deployment that was given none: an administrator with a random password. */
export function generateAccount(): Account {
  return { username: 'admin', password: randomBytes(12).toString('base64url') };
}

/** Keeps the accounts, their passwords only as digests under a key that lives as long as the deployment. */
export function createSignIn(accounts: readonly Account[]): SignIn {
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  const known = accounts.map(({ username, password, privileges: granted = privileges }) => ({
    user: { username, privileges: granted },
    name: digest(username),
    password: digest(password),
  }));
  return (username, password) => {
    const given = { name: digest(username), password: digest(password) };
    // Every account is compared, so that the time tells neither a name nor how much of a password was right.
    const found = known.filter((account) => {
      const name = timingSafeEqual(account.name, given.name);
      return timingSafeEqual(account.password, given.password) && name;
    });
    return found[0]?.user;
  };
}
