/** Version of the package; a test compares it with package.json. */
export const packageVersion = '0.1.0';
