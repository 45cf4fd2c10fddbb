import { type Cluster, openCluster, parseClusterAddress } from '../../cluster/index.ts';
import { readSecret } from '../profiles/read-secret.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Opens the cluster of an address, with the user and the password of the options or the environment. An encrypted
 * connection is the default; a password over any other is reported.
 */
export async function openNamedCluster(
  text: string,
  { environment, say }: Pick<Terminal, 'environment' | 'say'>,
  { passwordFile }: { readonly passwordFile?: string | undefined } = {},
): Promise<Cluster> {
  const address = parseClusterAddress(text);
  const file = passwordFile ?? environment.LOGQUARRY_CLUSTER_PASSWORD_FILE;
  const given = environment.LOGQUARRY_CLUSTER_PASSWORD;
  const password =
    passwordFile === undefined && given !== undefined
      ? given
      : file === undefined
        ? undefined
        : await readSecret(
            file,
            passwordFile === undefined ? 'LOGQUARRY_CLUSTER_PASSWORD_FILE' : '--password-file',
          );
  const host = new URL(address.origin).hostname;
  if (
    password !== undefined &&
    address.origin.startsWith('http:') &&
    !/^(localhost|127\.|\[::1\])/.test(host)
  )
    say(`The connection to ${host} is not encrypted: the password can be read on the way.`);
  return openCluster(address, { user: environment.LOGQUARRY_CLUSTER_USER, password });
}
