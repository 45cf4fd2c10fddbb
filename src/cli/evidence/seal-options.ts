import { stat } from 'node:fs/promises';
import { openNetwork, requestTimeStamp } from '../../client/index.ts';
import type { SealOptions } from '../../seal/index.ts';
import type { OptionValues } from '../command-line/option.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readProxyRules } from '../deployment/proxy-rules.ts';
import { readTextFile } from '../files/read-file.ts';
import { checkFileMode } from '../profiles/profile.ts';
import type { sealingOptions } from '../specs/evidence.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Reads the key and the certificates before any other work. Rejects with a `UsageError`. */
export async function readSealOptions(
  options: OptionValues<typeof sealingOptions>,
  terminal: Terminal,
): Promise<SealOptions> {
  const { key, timeStamp, ca } = options;
  if (timeStamp !== undefined && !isAddress(timeStamp))
    throw new UsageError(
      '--time-stamp must be an address such as https://HOST/…, without a user or a password',
    );
  const authorities = ca === undefined ? undefined : await readTextFile(ca, '--ca');
  const pem = key === undefined ? undefined : await readTextFile(key, '--key');
  if (key !== undefined) checkFileMode('The key', key, (await stat(key)).mode);
  return {
    key: pem,
    ...(timeStamp !== undefined && {
      requestTimeStamp: async (request) => {
        const proxy = readProxyRules(options.proxy, (name) => terminal.environment[name] || undefined);
        await using network = openNetwork({ proxy, ...(authorities !== undefined && { authorities }) });
        const { send } = network;
        return await requestTimeStamp({ url: timeStamp, request, send, signal: terminal.interruption() });
      },
    }),
  };
}

/** True for an HTTP address without credentials. Messages do not quote others: they may hold a password. */
function isAddress(written: string): boolean {
  if (!URL.canParse(written)) return false;
  const { protocol, username, password } = new URL(written);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
