import { BlockList, isIP } from 'node:net';

/**
 * Reports if a list in the syntax of `NO_PROXY` exempts an address from proxies. Entries are separated
 * by commas or blanks: a host, which includes its subdomains; `.suffix` or `*.suffix`; an IP address; a
 * network such as `10.0.0.0/8`; `*` for all. An entry with a port matches that port only.
 */
export function isExempt(address: string, list: string): boolean {
  const { hostname, port, protocol } = new URL(address);
  const host = bare(hostname);
  const actual = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const { name, port: wanted } = entryOf(entry);
      return (wanted === undefined || wanted === actual) && (name === '*' || isNamed(host, name));
    });
}

/** A host as it is compared: without the brackets of an IPv6 address and the dot behind a full name. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function entryOf(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, inBrackets, plain, port] = /^(?:(\[.*\])|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  // An IPv6 address without brackets is nothing but colons and digits.
  return { name: bare(inBrackets ?? plain ?? entry), port };
}

function isNamed(host: string, name: string): boolean {
  if (name.includes('/')) return isWithin(host, name);
  if (isIP(name) !== 0) return isWithin(host, `${name}/${isIP(name) === 4 ? 32 : 128}`);
  const suffix = name.replace(/^\*?\./, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

/** Reports if a host is an IP address of a network. */
function isWithin(host: string, network: string): boolean {
  const [address = '', digits = ''] = network.split('/');
  const [family, bits] = [isIP(address), Number(digits)];
  if (family === 0 || isIP(host) === 0 || !/^\d+$/.test(digits) || (family === 4 ? 32 : 128) < bits)
    return false;
  const list = new BlockList();
  list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}
