/** The namespace of each prefix; the empty prefix is that of the default namespace. */
export type Scope = ReadonlyMap<string, string>;

/** The predefined namespaces of a document (Namespaces in XML 1.0, section 3). */
export const emptyScope: Scope = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);

/**
 * Adds the declarations in an element's attributes to a scope. Returns the outer scope itself if there are
 * none.
 */
export function scopeWith(outer: Scope, attributes: readonly (readonly [string, string])[]): Scope {
  const declared = attributes
    .filter(([name]) => isDeclaration(name))
    .map(([name, value]) => [name.slice('xmlns:'.length), value] as const);
  return declared.length === 0 ? outer : new Map([...outer, ...declared]);
}

/**
 * Resolves a qualified name. An attribute without a prefix and a name with an undeclared prefix have no
 * namespace.
 */
export function nameIn(
  scope: Scope,
  qualified: string,
  kind: 'element' | 'attribute' = 'element',
): { readonly name: string; readonly namespace: string } {
  const colon = qualified.indexOf(':');
  const prefix = qualified.slice(0, Math.max(colon, 0));
  const isBare = colon < 0 && kind === 'attribute';
  return { name: qualified.slice(colon + 1), namespace: isBare ? '' : (scope.get(prefix) ?? '') };
}

/** True if an attribute declares a namespace. */
export function isDeclaration(attribute: string): boolean {
  return attribute === 'xmlns' || attribute.startsWith('xmlns:');
}
