/** A service in the catalog (section 2.1 of the interface document). Missing texts are empty. */
export interface ServiceDescription {
  /** With its folder, as `Utilities/Printing`. */
  readonly name: string;
  /** Such as `MapServer`. */
  readonly type: string;
  readonly url: string;
  /** The type of the service that this one extends. */
  readonly parentType: string;
  /** Separated by commas. */
  readonly capabilities: string;
  readonly description: string;
}

/** The elements of a description on the wire, in the order of section 2.1. */
export const descriptionElements = {
  Name: 'name',
  Type: 'type',
  Url: 'url',
  ParentType: 'parentType',
  Capabilities: 'capabilities',
  Description: 'description',
} as const satisfies Readonly<Record<string, keyof ServiceDescription>>;

/**
 * The source of the logs of a service, as the export filter `source` takes it (section 4.2.1): `<folder>/<service>.<type>`.
 *
 * ```ts
 * for (const service of await getServiceDescriptions(client)) console.log(sourceOf(service));
 * ```
 */
export function sourceOf({ name, type }: ServiceDescription): string {
  return `${name}.${type}`;
}
