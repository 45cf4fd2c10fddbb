import type { Running } from '../running.ts';

/** The WSDL of a reference deployment. */
export async function wsdlOf({ url }: Running): Promise<string> {
  return (await fetch(`${url}/services?wsdl`)).text();
}

/** The elements of the first sequence behind a text of a WSDL: name, type, and a star where there may be many. */
export function elementsOf(wsdl: string, start: string): readonly string[] {
  const [, content = ''] = wsdl.split(start);
  const [sequence = ''] = content.split(/<\/xs:sequence>|<xs:sequence\/>/);
  const element = /<xs:element name="(\w+)" type="(\w+:\w+)"( minOccurs="0" maxOccurs="unbounded")?/g;
  return [...sequence.matchAll(element)].map(([, name, type, many]) => `${name} ${type}${many ? ' *' : ''}`);
}
