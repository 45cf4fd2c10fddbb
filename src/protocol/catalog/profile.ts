/**
 * A vendor's spelling of names on the wire. The interface document leaves the vendor's own names out; they are
 * publicly known.
 */
export interface VendorProfile {
  readonly name: string;
  /** The namespace of the catalog's messages. A deployment has one with its own version at the end. */
  readonly namespace: string;
  /** The names of the enumerations of section 2.1, which are also prefixes of their values. */
  readonly versionType: string;
  readonly formatType: string;
  /** The prefix of versions of the vendor's desktop application. */
  readonly proVersion: string;
  /** The prefix of the providers of section 2.3 with the name of the vendor's technology. */
  readonly objects: string;
}

/** The names of the interface document. */
const documented: VendorProfile = {
  name: 'default',
  namespace: 'http://vendor.example/schemas/services/3.3.0',
  versionType: 'vendorVersion',
  formatType: 'vendorServiceCatalogMessageFormat',
  proVersion: 'vendorProVersion',
  objects: 'VendorObjects',
};

/** The names of the vendor's real deployments, from the field notes and public clients. */
const arcgis: VendorProfile = {
  name: 'arcgis',
  namespace: 'http://www.esri.com/schemas/ArcGIS/3.3.0',
  versionType: 'esriArcGISVersion',
  formatType: 'esriServiceCatalogMessageFormat',
  proVersion: 'esriArcGISProVersion',
  objects: 'ArcObjects',
};

/** The known profiles, the default first. */
export const vendorProfiles = { default: documented, arcgis } as const satisfies Readonly<
  Record<string, VendorProfile>
>;

/** The name of a known profile. */
export type ProfileName = keyof typeof vendorProfiles;

/** True if a namespace is that of the catalog, in any version and any known profile. */
export function isCatalogNamespace(namespace: string): boolean {
  const [base, version = ''] = splitVersion(namespace);
  return (
    /^[\d.]+$/.test(version) &&
    Object.values(vendorProfiles).some((each) => splitVersion(each.namespace)[0] === base)
  );
}

function splitVersion(namespace: string): readonly string[] {
  const slash = namespace.lastIndexOf('/');
  return [namespace.slice(0, slash), namespace.slice(slash + 1)];
}
