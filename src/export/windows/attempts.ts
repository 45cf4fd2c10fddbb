/** How often a window is tried in one run. */
export const maxAttempts = 3;
