import { userInfo } from 'node:os';

/** Returns the name of the user of this computer. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container can run as a user without a name.
    return 'unknown';
  }
}
