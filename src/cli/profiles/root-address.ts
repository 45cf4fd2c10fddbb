import { addressesOf } from '../../protocol/index.ts';

/** The administrative base address for an address; undefined if it is malformed. */
export function rootAddressOf(url: string | undefined): string | undefined {
  const addresses = url === undefined ? undefined : addressesOf(url);
  return addresses && 'root' in addresses ? addresses.root : undefined;
}
