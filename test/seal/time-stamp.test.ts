import { readFileSync } from 'node:fs';
import { OctetString } from 'asn1js';
import { describe, expect, test } from 'vitest';
import { openNetwork } from '../../src/client/network.ts';
import { requestTimeStamp } from '../../src/client/request-time-stamp.ts';
import { checkReply, checkTimeStamp, readCertificates, timeStampRequest } from '../../src/seal/seal.ts';
import { sampled } from '../effort.ts';
import { type AuthorityBehaviour, startAuthority } from './authority.ts';

const bytes = Buffer.from('{"head":"abc"}');

/** Asks an authority that behaves so, and checks its reply. */
async function stamp(behaviour: AuthorityBehaviour = {}) {
  await using authority = await startAuthority(behaviour);
  await using network = openNetwork();
  const request = timeStampRequest(bytes);
  const reply = await requestTimeStamp({ url: authority.url, request: request.der, send: network.send });
  await checkReply(reply, request);
  return { reply, root: authority.root };
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

describe('a time stamp', () => {
  test('is one of these bytes, at the time of the authority', async () => {
    const { reply, root } = await stamp({ time: new Date('2026-02-03T04:05:06Z') });
    expect(await checkTimeStamp(reply, bytes, [root])).toEqual({
      time: Date.parse('2026-02-03T04:05:06Z'),
      authority: 'CN=Test time',
      isTrusted: true,
    });
    await expect(checkTimeStamp(reply, Buffer.from('other'), [root])).rejects.toThrow('the hash differs');
  });

  test('proves less where nobody known has issued its certificate', async () => {
    const { reply } = await stamp();
    const { root: other } = await stamp();
    expect(await checkTimeStamp(reply, bytes, [])).toMatchObject({ isTrusted: false });
    expect(await checkTimeStamp(reply, bytes, [other])).toMatchObject({ isTrusted: false });
  });

  test('of a time at which its certificate was not valid is not trusted', async () => {
    const { reply, root } = await stamp({ time: new Date('2045-01-01') });
    expect(await checkTimeStamp(reply, bytes, [root])).toMatchObject({ isTrusted: false });
  });

  test('made by openssl is understood', async () => {
    const at = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url));
    const trusted = readCertificates(at('root.pem').toString());
    expect(await checkTimeStamp(at('reply.tsr'), at('stamped.txt'), trusted)).toEqual({
      time: Date.parse('2026-11-22T15:11:41Z'),
      authority: 'CN=Test time stamps',
      isTrusted: true,
    });
  });

  test('with any byte altered is refused, or no longer trusted', async () => {
    const { reply, root } = await stamp();
    const { time, authority } = await checkTimeStamp(reply, bytes, [root]);
    for (const index of sampled([...reply.keys()])) {
      const altered = Uint8Array.from(reply);
      altered[index] = (altered[index] ?? 0) ^ 0x10;
      const found = await checkTimeStamp(altered, bytes, [root]).catch(asError);
      if (found instanceof Error) {
        expect(found).toMatchObject({ code: 'TIME_STAMP_REFUSED' });
        continue;
      }
      // Bytes that nobody signs, such as those of the status, or of the certificate, which is then not trusted.
      expect(found).toMatchObject({ time });
      if (found.isTrusted) expect(found).toMatchObject({ authority });
    }
  });
});

describe('an authority is refused that', () => {
  test.each<[string, AuthorityBehaviour, string]>([
    ['answers another request', { alter: (asked) => delete asked.nonce }, 'the nonce differs'],
    [
      'stamps something else',
      {
        alter: ({ messageImprint }) => {
          messageImprint.hashedMessage = new OctetString({ valueHex: new Uint8Array(32) });
        },
      },
      'the hash differs',
    ],
    ['has a certificate for something else', { purposes: ['1.3.6.1.5.5.7.3.1'] }, 'not one for time stamps'],
    ['rejects', { status: 2 }, 'its status is 2'],
    ['answers with a page', { reply: Buffer.from('<html>') }, 'not one of the protocol'],
    ['answers with nothing', { reply: new Uint8Array() }, 'not one of the protocol'],
    ['fails', { httpStatus: 500 }, 'answered with the status 500'],
  ])('%s', async (_, behaviour, message) => {
    await expect(stamp(behaviour)).rejects.toThrow(message);
  });
});
