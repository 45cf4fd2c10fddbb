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

/** What each operation is asked with, beside its name. */
export type CatalogRequest =
  | { readonly operation: Exclude<CatalogOperation, 'GetServiceDescriptionsEx'> }
  /** Empty is the root folder. */
  | { readonly operation: 'GetServiceDescriptionsEx'; readonly folderName: string };

/** What each operation answers. */
export type CatalogReply =
  | {
      readonly operation: 'GetMessageVersion';
      /** One of section 2.1, or one that came later. */
      readonly messageVersion: string;
      /** Older versions do not give it. */
      readonly proMessageVersion?: string;
    }
  | { readonly operation: 'GetMessageFormats'; readonly messageFormats: string }
  /** Empty where there is no token service. */
  | { readonly operation: 'GetTokenServiceURL'; readonly tokenServiceUrl: string }
  | { readonly operation: 'GetFolders'; readonly folderNames: readonly string[] }
  | { readonly operation: 'GetServiceDescriptions'; readonly services: readonly ServiceDescription[] }
  | { readonly operation: 'GetServiceDescriptionsEx'; readonly services: readonly ServiceDescription[] }
  | { readonly operation: 'RequiresTokens'; readonly required: boolean };

/** The reply of one operation. */
export type CatalogReplyOf<O extends CatalogOperation> = Extract<CatalogReply, { readonly operation: O }>;
