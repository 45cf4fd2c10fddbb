/**
 * How a vendor spells the names of the interface on the wire. The interface
 * document leaves the vendor's own names out; in the open they are known.
 */
export interface Profile {
  readonly name: string;
  /** The namespace of the catalog's messages. A deployment has one with its own version at the end. */
  readonly namespace: string;
  /** The names of the enumerations of section 2.1; each is also the beginning of its values. */
  readonly versionType: string;
  readonly formatType: string;
  /** The beginning of the versions of the vendor's desktop application. */
  readonly proVersion: string;
  /** The beginning of those providers of section 2.3 that carry the name of the vendor's technology. */
  readonly objects: string;
}

/** The names as the interface document has them. */
const documented: Profile = {
  name: 'default',
  namespace: 'http://vendor.example/schemas/services/3.3.0',
  versionType: 'vendorVersion',
  formatType: 'vendorServiceCatalogMessageFormat',
  proVersion: 'vendorProVersion',
  objects: 'VendorObjects',
};

/** The names of the vendor whose deployments speak this interface, as the field notes and public clients have them. */
const arcgis: Profile = {
  name: 'arcgis',
  namespace: 'http://www.esri.com/schemas/ArcGIS/3.3.0',
  versionType: 'esriArcGISVersion',
  formatType: 'esriServiceCatalogMessageFormat',
  proVersion: 'esriArcGISProVersion',
  objects: 'ArcObjects',
};

/** The profiles that are known, the default first. */
export const profiles = { default: documented, arcgis } as const satisfies Readonly<Record<string, Profile>>;

/** The name of a profile that is known. */
export type ProfileName = keyof typeof profiles;

/** Tells whether a namespace is that of the catalog in any version and under the names of any known profile. */
export function isCatalogNamespace(namespace: string): boolean {
  const [base, version = ''] = splitVersion(namespace);
  return (
    /^[\d.]+$/.test(version) &&
    Object.values(profiles).some((each) => splitVersion(each.namespace)[0] === base)
  );
}

function splitVersion(namespace: string): readonly string[] {
  const slash = namespace.lastIndexOf('/');
  return [namespace.slice(0, slash), namespace.slice(slash + 1)];
}
