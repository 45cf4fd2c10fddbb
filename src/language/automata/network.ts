/** An address of IPv6: 128 bits. */
type Address = bigint;

/**
 * Returns a test for addresses of IPv6 in a network such as `fe80::/10`, or with one address, in any of their forms
 * (RFC 4291, section 2.2); undefined if the text is no network. What is no address passes no test.
 */
export function compileNetwork(text: string): ((address: string) => boolean) | undefined {
  const [, written = '', bits = '128'] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const network = parseAddress(written);
  const length = Number(bits);
  if (network === undefined || 128 < length) return undefined;
  const rest = BigInt(128 - length);
  return (address) => {
    const parsed = parseAddress(address);
    return parsed !== undefined && parsed >> rest === network >> rest;
  };
}

const tests = new Map<string, (address: string) => boolean>();

/** Returns the test of a network, which is compiled once. */
export function networkTest(network: string): (address: string) => boolean {
  const test = tests.get(network) ?? compileNetwork(network) ?? (() => false);
  if (300 <= tests.size) tests.clear();
  tests.set(network, test);
  return test;
}

/** Eight groups, of which `::` stands for one or more that are zero; the last two can be an address of IPv4. */
function parseAddress(text: string): Address | undefined {
  // The longest form has 45 characters.
  if (45 < text.length || !text.includes(':')) return undefined;
  const sides = text.replace(/[\d.]*\.[\d.]*$/, (address) => octetGroups(address) ?? 'x').split('::');
  const [before = [], after] = sides.map((side) => (side === '' ? [] : side.split(':')));
  const groups = after ? before.length + after.length : before.length;
  if (2 < sides.length || (after ? 7 < groups : groups !== 8)) return undefined;
  const all = after ? [...before, ...Array.from({ length: 8 - groups }, () => '0'), ...after] : before;
  if (!all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return all.reduce((address, group) => (address << 16n) | BigInt(`0x${group}`), 0n);
}

/** An address of IPv4 as two groups. */
function octetGroups(address: string): string | undefined {
  const octets = address.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^\d{1,3}$/.test(octet) && Number(octet) < 256))
    return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number);
  return `${(256 * a + b).toString(16)}:${(256 * c + d).toString(16)}`;
}
