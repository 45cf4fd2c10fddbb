import { type ProxyRules, toProxyAddress } from '../../client/index.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Hosts of this machine, never reached through a proxy of the environment, whatever NO_PROXY says. */
const loopback = 'localhost,127.0.0.0/8,::1';

/**
 * The proxies to use: the chosen one, none for "none", else those of the environment. Throws a
 * `UsageError` for a malformed address.
 */
export function readProxyRules(
  chosen: string | undefined,
  variable: (name: string) => string | undefined,
): ProxyRules | undefined {
  if (chosen === 'none') return undefined;
  if (chosen !== undefined) {
    const proxy = checkedProxy(chosen, '--proxy');
    return { http: proxy, https: proxy };
  }
  const either = (name: string) => variable(name.toLowerCase()) ?? variable(name);
  const [http, https] = [either('HTTP_PROXY'), either('HTTPS_PROXY')];
  if (http === undefined && https === undefined) return undefined;
  return {
    ...(http !== undefined && { http: checkedProxy(http, 'HTTP_PROXY') }),
    ...(https !== undefined && { https: checkedProxy(https, 'HTTPS_PROXY') }),
    except: `${either('NO_PROXY') ?? ''},${loopback}`,
  };
}

/** The message does not quote the address: it may hold a password. */
function checkedProxy(written: string, name: string): string {
  const address = toProxyAddress(written);
  if (address !== undefined) return address;
  throw new UsageError(
    `${name} must be the address of a proxy such as http://HOST:PORT; percent-encode a user and a password in front of the host`,
  );
}
