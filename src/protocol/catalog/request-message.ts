import { escapeXml } from '../xml/characters.ts';
import { childOf, isNamed, type XmlElement, type XmlLimits } from '../xml/read-xml.ts';
import { envelopeNamespace, readEnvelope, toEnvelope, writeElement } from './envelope.ts';
import { type CatalogRequest, catalogOperations } from './operation.ts';
import type { VendorProfile } from './profile.ts';

/** Limit of a request, which is a name, or a name and the name of a folder. */
export const catalogRequestLimits: XmlLimits = { characters: 65_536 };

/**
 * Writes the SOAP message of a request. The interface has no `elementFormDefault`, so only the element of the
 * operation is qualified.
 */
export function toCatalogRequest(request: CatalogRequest, { namespace }: VendorProfile): string {
  const inside =
    request.operation === 'GetServiceDescriptionsEx'
      ? writeElement('FolderName', escapeXml(request.folderName))
      : '';
  return toEnvelope(writeElement(`tns:${request.operation}`, inside, { 'xmlns:tns': namespace }));
}

/** A request as received. */
export interface CatalogRequestMessage {
  readonly request: CatalogRequest;
  /** The namespace of its element, which the reply repeats: clients use the one of their own version. */
  readonly namespace: string;
}

/** The problem with a message that is no request. */
export interface CatalogRequestProblem {
  readonly problem: string;
  /** The SOAP 1.1 code of the fault (section 4.4.1 of its specification). */
  readonly fault: 'Client' | 'MustUnderstand' | 'VersionMismatch';
}

/**
 * Reads the request in a SOAP 1.1 message, or returns the problem with it. Names are compared without prefix,
 * namespace and case: real clients vary all three. A missing `FolderName` is the root folder. A header that
 * must be understood is refused, because none is defined here.
 */
export function fromCatalogRequest(text: string): CatalogRequestMessage | CatalogRequestProblem {
  const envelope = readEnvelope(text, catalogRequestLimits);
  if ('problem' in envelope) return { problem: envelope.problem, fault: 'Client' };
  if (envelope.namespace !== envelopeNamespace) {
    const problem = `its envelope is not of SOAP 1.1, whose namespace is ${envelopeNamespace}`;
    return { problem, fault: 'VersionMismatch' };
  }
  const unknown = envelope.header.find(mustBeUnderstood);
  if (unknown) {
    return {
      problem: `its header "${unknown.name.slice(0, 80)}" is not understood`,
      fault: 'MustUnderstand',
    };
  }
  const { content } = envelope;
  if (!content) return { problem: 'it is no SOAP message with something in its body', fault: 'Client' };
  const operation = catalogOperations.find((name) => isNamed(content, name));
  if (!operation) {
    return { problem: `there is no operation "${content.name.slice(0, 80)}"`, fault: 'Client' };
  }
  const { namespace } = content;
  if (operation !== 'GetServiceDescriptionsEx') return { request: { operation }, namespace };
  const folderName = childOf(content, 'FolderName')?.text ?? '';
  return { request: { operation, folderName }, namespace };
}

/** The actor of the first receiver of a message (section 4.2.2 of SOAP 1.1). */
const nextActor = 'http://schemas.xmlsoap.org/soap/actor/next';

/** True if the receiver must refuse a message unless it knows this header entry (section 4.2.3 of SOAP 1.1). */
function mustBeUnderstood({ attributes }: XmlElement): boolean {
  const attributeOf = (wanted: string) =>
    attributes
      .find(({ name, namespace }) => name === wanted && namespace === envelopeNamespace)
      ?.value.trim();
  const actor = attributeOf('actor') || nextActor;
  return actor === nextActor && ['1', 'true'].includes(attributeOf('mustUnderstand') ?? '');
}
