import { addressesOf } from '../../protocol/index.ts';

/** The administrative base address that an address names; undefined where it names none. */
export function rootOf(url: string | undefined): string | undefined {
  const addresses = url === undefined ? undefined : addressesOf(url);
  return addresses && 'root' in addresses ? addresses.root : undefined;
}
