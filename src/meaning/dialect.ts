/**
 * Which texts are in order: those of section 4.2.1 of the interface document,
 * or everything that the engine understands.
 */
export type Dialect = 'documented' | 'lucene';
