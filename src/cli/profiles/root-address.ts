import { isClusterAddress, parseClusterAddress } from '../../cluster/index.ts';
import { addressesOf } from '../../protocol/index.ts';

/**
 * The address that the secret of a profile is for: the administrative base address of a deployment, or the origin
 * of a cluster; undefined if the address is malformed. Throws a `ClusterError` for a malformed one of a cluster.
 */
export function rootAddressOf(url: string | undefined): string | undefined {
  if (url !== undefined && isClusterAddress(url)) return parseClusterAddress(url).origin;
  const addresses = url === undefined ? undefined : addressesOf(url);
  return addresses && 'root' in addresses ? addresses.root : undefined;
}
