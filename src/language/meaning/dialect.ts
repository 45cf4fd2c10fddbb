/**
 * The accepted syntax: `documented` in section 4.2.1 of the interface document, or all that the
 * engine understands.
 */
export type Dialect = 'documented' | 'lucene';
