import type { ServiceDescription } from './service-description.ts';

/** The operations of the service catalog (section 4.1 of the interface document). */
export const catalogOperations = [
  'GetMessageVersion',
  'GetMessageFormats',
  'GetTokenServiceURL',
  'GetFolders',
  'GetServiceDescriptions',
  'GetServiceDescriptionsEx',
  'RequiresTokens',
] as const;

/** The name of an operation of the catalog. */
export type CatalogOperation = (typeof catalogOperations)[number];

/** The request of each operation. */
export type CatalogRequest =
  | { readonly operation: Exclude<CatalogOperation, 'GetServiceDescriptionsEx'> }
  /** Empty is the root folder. */
  | { readonly operation: 'GetServiceDescriptionsEx'; readonly folderName: string };

/** The reply of each operation. */
export type CatalogReply =
  | {
      readonly operation: 'GetMessageVersion';
      /** A value of section 2.1, or a later one. */
      readonly messageVersion: string;
      /** Absent in older versions. */
      readonly proMessageVersion?: string;
    }
  | { readonly operation: 'GetMessageFormats'; readonly messageFormats: string }
  /** Empty without a token service. */
  | { readonly operation: 'GetTokenServiceURL'; readonly tokenServiceUrl: string }
  | { readonly operation: 'GetFolders'; readonly folderNames: readonly string[] }
  | { readonly operation: 'GetServiceDescriptions'; readonly services: readonly ServiceDescription[] }
  | { readonly operation: 'GetServiceDescriptionsEx'; readonly services: readonly ServiceDescription[] }
  | { readonly operation: 'RequiresTokens'; readonly required: boolean };

/** The reply of one operation. */
export type CatalogReplyOf<O extends CatalogOperation> = Extract<CatalogReply, { readonly operation: O }>;
