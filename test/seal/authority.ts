import type { webcrypto } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Integer, ObjectIdentifier, OctetString, Sequence, Utf8String } from 'asn1js';
import {
  Attribute,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  Extension,
  ExtKeyUsage,
  IssuerAndSerialNumber,
  id_eContentType_TSTInfo,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';

/** Behaviour of an authority. Default: that of the protocol. */
export interface AuthorityBehaviour {
  /** Purposes of its certificate. Default: time stamps. */
  readonly purposes?: readonly string[];
  /** Alters what it was asked for, before it stamps that. */
  readonly alter?: (request: TimeStampReq) => void;
  /** The status that it answers with. Default 0, granted. */
  readonly status?: number;
  /** The HTTP status. Default 200. */
  readonly httpStatus?: number;
  /** The very bytes of its replies. */
  readonly reply?: Uint8Array;
  /** When it says that it is. Default: now. */
  readonly time?: Date;
}

/** A time stamp authority on a port of this machine. */
export interface Authority extends AsyncDisposable {
  readonly url: string;
  /** The certificate that issued that of the authority: PEM. */
  readonly root: string;
}

const timeStamping = '1.3.6.1.5.5.7.3.8';
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** Runs a time stamp authority with a certificate of its own root. */
export async function startAuthority(behaviour: AuthorityBehaviour = {}): Promise<Authority> {
  const root = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']);
  const own = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']);
  const rootName = 'Test root';
  const rootCertificate = await issue(rootName, root.publicKey, {
    serial: 1,
    issuer: rootName,
    issuerKey: root.privateKey,
    extensions: [
      new Extension({
        extnID: '2.5.29.19',
        critical: true,
        extnValue: new BasicConstraints({ cA: true }).toSchema().toBER(false),
      }),
    ],
  });
  const certificate = await issue('Test time', own.publicKey, {
    serial: 2,
    issuer: rootName,
    issuerKey: root.privateKey,
    extensions: [
      new Extension({
        extnID: '2.5.29.37',
        critical: true,
        extnValue: new ExtKeyUsage({ keyPurposes: [...(behaviour.purposes ?? [timeStamping])] })
          .toSchema()
          .toBER(false),
      }),
    ],
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const reply =
        behaviour.reply ??
        (await stamp(Buffer.concat(chunks), { behaviour, certificate, key: own.privateKey }));
      response.writeHead(behaviour.httpStatus ?? 200, { 'content-type': 'application/timestamp-reply' });
      response.end(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    root: pem(rootCertificate),
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pem(certificate: Certificate): string {
  const base64 = Buffer.from(certificate.toSchema().toBER(false)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

async function issue(
  name: string,
  publicKey: webcrypto.CryptoKey,
  {
    serial,
    issuer,
    issuerKey,
    extensions,
  }: {
    readonly serial: number;
    readonly issuer: string;
    readonly issuerKey: webcrypto.CryptoKey;
    readonly extensions: Extension[];
  },
): Promise<Certificate> {
  const named = (value: string) =>
    new AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value }) });
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ value: serial });
  certificate.issuer.typesAndValues.push(named(issuer));
  certificate.subject.typesAndValues.push(named(name));
  certificate.notBefore.value = new Date('2020-01-01');
  certificate.notAfter.value = new Date('2040-01-01');
  certificate.extensions = extensions;
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(issuerKey, 'SHA-256');
  return certificate;
}

/** The attribute that names the certificate of the signer (RFC 5816), which OpenSSL requires. */
async function signingCertificate(certificate: Certificate): Promise<Attribute> {
  const valueHex = await crypto.subtle.digest('SHA-256', certificate.toSchema().toBER(false));
  const id = new Sequence({ value: [new OctetString({ valueHex })] });
  const ids = new Sequence({ value: [id] });
  return new Attribute({ type: '1.2.840.113549.1.9.16.2.47', values: [new Sequence({ value: [ids] })] });
}

async function stamp(
  request: Uint8Array,
  {
    behaviour,
    certificate,
    key,
  }: {
    readonly behaviour: AuthorityBehaviour;
    readonly certificate: Certificate;
    readonly key: webcrypto.CryptoKey;
  },
): Promise<Uint8Array> {
  const asked = TimeStampReq.fromBER(request);
  behaviour.alter?.(asked);
  const info = new TSTInfo({
    version: 1,
    policy: '1.2.3.4',
    messageImprint: asked.messageImprint,
    serialNumber: new Integer({ value: 7 }),
    genTime: behaviour.time ?? new Date(),
    ...(asked.nonce && { nonce: asked.nonce }),
  });
  const content = info.toSchema().toBER(false);
  const digest = await crypto.subtle.digest('SHA-256', content);
  const signed = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: id_eContentType_TSTInfo,
      eContent: new OctetString({ valueHex: content }),
    }),
    signerInfos: [
      new SignerInfo({
        sid: new IssuerAndSerialNumber({
          issuer: certificate.issuer,
          serialNumber: certificate.serialNumber,
        }),
        signedAttrs: new SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            new Attribute({
              type: '1.2.840.113549.1.9.3',
              values: [new ObjectIdentifier({ value: id_eContentType_TSTInfo })],
            }),
            new Attribute({
              type: '1.2.840.113549.1.9.4',
              values: [new OctetString({ valueHex: digest })],
            }),
            await signingCertificate(certificate),
          ],
        }),
      }),
    ],
    certificates: [certificate],
  });
  await signed.sign(key, 0, 'SHA-256');
  const response = new TimeStampResp({
    status: new PKIStatusInfo({ status: behaviour.status ?? 0 }),
    timeStampToken: new ContentInfo({
      contentType: ContentInfo.SIGNED_DATA,
      content: signed.toSchema(true),
    }),
  });
  return new Uint8Array(response.toSchema().toBER(false));
}
