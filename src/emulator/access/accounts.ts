import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Privileges of a user. The rights to export and to download are different ones (field notes). Jobs belong to
 * the user who submitted them; `manageJobs` opens those of other users to administrators.
 */
export const allPrivileges = [
  'exportLogs',
  'manageLogs',
  'downloadUploads',
  'uploadFiles',
  'manageJobs',
  'manageProperties',
  'manageUpgrades',
] as const;

/** The name of a privilege. */
export type Privilege = (typeof allPrivileges)[number];

/** A user that can sign in. */
export interface User {
  readonly username: string;
  readonly privileges: readonly Privilege[];
}

/** An account for the start of a deployment. Holds a secret. */
export interface Account {
  readonly username: string;
  readonly password: string;
  /** Default: all privileges. */
  readonly privileges?: readonly Privilege[];
}

/** Returns the user with this name and password, or undefined. Takes the same time for every input. */
export type SignIn = (username: string, password: string) => User | undefined;

/** Makes the default account: an administrator with a random password. */
export function generateAccount(): Account {
  return { username: 'admin', password: randomBytes(12).toString('base64url') };
}

/**
 * Stores the accounts. Passwords are stored as digests only, under a key that lives as long as the deployment.
 */
export function createSignIn(accounts: readonly Account[]): SignIn {
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  const known = accounts.map(({ username, password, privileges: granted = allPrivileges }) => ({
    user: { username, privileges: granted },
    name: digest(username),
    password: digest(password),
  }));
  return (username, password) => {
    const submitted = { name: digest(username), password: digest(password) };
    // Compares every account: the time must reveal neither a name nor how much of a password was right.
    const found = known.filter((account) => {
      const name = timingSafeEqual(account.name, submitted.name);
      return timingSafeEqual(account.password, submitted.password) && name;
    });
    return found[0]?.user;
  };
}
