/** Which namespace each prefix stands for; the empty prefix is that of the default namespace. */
export type Scope = ReadonlyMap<string, string>;

/** The namespaces of a document before anything is declared (Namespaces in XML 1.0, section 3). */
export const emptyScope: Scope = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);

/** A scope with what the attributes of an element declare; the outer scope itself where they declare nothing. */
export function scopeWith(outer: Scope, attributes: readonly (readonly [string, string])[]): Scope {
  const declared = attributes
    .filter(([name]) => isDeclaration(name))
    .map(([name, value]) => [name.slice('xmlns:'.length), value] as const);
  return declared.length === 0 ? outer : new Map([...outer, ...declared]);
}

/** The parts of a qualified name. An attribute without a prefix has no namespace; neither has a name with an undeclared one. */
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

/** Tells whether an attribute declares a namespace. */
export function isDeclaration(attribute: string): boolean {
  return attribute === 'xmlns' || attribute.startsWith('xmlns:');
}
