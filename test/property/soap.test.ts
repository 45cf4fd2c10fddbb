import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CatalogReply,
  type CatalogRequest,
  catalogOperations,
  fromCatalogReply,
  fromCatalogRequest,
  toCatalogReply,
  toCatalogRequest,
  toFault,
  vendorProfiles,
} from '../../src/protocol/catalog.ts';
import { isXmlText } from '../../src/protocol/xml.ts';

const hostile = fc.constantFrom(
  '<',
  '>',
  '&',
  '"',
  "'",
  ']]>',
  '<![CDATA[',
  '<!--',
  '-->',
  '&amp;',
  '&#x0;',
  '\r',
  '\n',
  '\t',
  ' ',
  '\r\n',
  '<!DOCTYPE x>',
  '\u0085',
  '\u2028',
  '\u{1F5FA}',
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(hostile).map((pieces) => pieces.join('')),
);
const text = anyText.filter(isXmlText);
/** Texts that the format itself keeps the ends of free of white space: versions, formats, addresses. */
const token = fc.stringMatching(/^[!-~]{1,30}$/);

const service = fc.record({
  name: text,
  type: text,
  url: text,
  parentType: text,
  capabilities: text,
  description: text,
});
const reply: fc.Arbitrary<CatalogReply> = fc.oneof(
  fc.record({
    operation: fc.constant('GetMessageVersion' as const),
    messageVersion: token,
    proMessageVersion: token,
  }),
  fc.record({ operation: fc.constant('GetMessageVersion' as const), messageVersion: token }),
  fc.record({ operation: fc.constant('GetMessageFormats' as const), messageFormats: token }),
  fc.record({ operation: fc.constant('GetTokenServiceURL' as const), tokenServiceUrl: token }),
  fc.record({ operation: fc.constant('GetFolders' as const), folderNames: fc.array(text) }),
  fc.record({ operation: fc.constant('GetServiceDescriptions' as const), services: fc.array(service) }),
  fc.record({ operation: fc.constant('GetServiceDescriptionsEx' as const), services: fc.array(service) }),
  fc.record({ operation: fc.constant('RequiresTokens' as const), required: fc.boolean() }),
);
const request: fc.Arbitrary<CatalogRequest> = fc.oneof(
  fc.record({
    operation: fc.constantFrom(...catalogOperations).filter((name) => name !== 'GetServiceDescriptionsEx'),
  }),
  fc.record({ operation: fc.constant('GetServiceDescriptionsEx' as const), folderName: text }),
);
const profile = fc.constantFrom(...Object.values(vendorProfiles));

test('every request that XML can carry is read as it was written', () => {
  fc.assert(
    fc.property(request, profile, (original, names) => {
      const { namespace } = names;
      expect(fromCatalogRequest(toCatalogRequest(original, names))).toEqual({ request: original, namespace });
    }),
  );
});

test('every reply that XML can carry is read as it was written', () => {
  fc.assert(
    fc.property(reply, profile, (original, names) => {
      expect(fromCatalogReply(toCatalogReply(original, names), original.operation)).toEqual({
        reply: original,
      });
    }),
  );
});

test('every fault is read as it was written', () => {
  fc.assert(
    fc.property(text, text, (message, detail) => {
      const fault = { code: 'Client', message, detail };
      expect(fromCatalogReply(toFault(fault), 'GetFolders')).toEqual({ fault });
    }),
  );
});

test('a text that XML cannot carry arrives with replacement characters, and as the same message', () => {
  fc.assert(
    fc.property(anyText, (folderName) => {
      const written = toCatalogRequest(
        { operation: 'GetServiceDescriptionsEx', folderName },
        vendorProfiles.default,
      );
      expect(isXmlText(written)).toBe(true);
      const carried = [...folderName]
        .map((character) => (isXmlText(character) ? character : '\uFFFD'))
        .join('');
      expect(fromCatalogRequest(written)).toMatchObject({
        request: { operation: 'GetServiceDescriptionsEx', folderName: carried },
      });
    }),
  );
});

test('no text makes the reader throw', () => {
  const piece = fc.oneof(
    hostile,
    fc.constantFrom('<a>', '</a>', '<Body>', '<Envelope>', '<?xml?>', 'x="1"'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const message = pieces.join('');
      expect(fromCatalogRequest(message)).toHaveProperty('problem');
      expect(fromCatalogReply(message, 'GetFolders')).toHaveProperty('problem');
    }),
  );
});
