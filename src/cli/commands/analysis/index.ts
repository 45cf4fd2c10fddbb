export { diffCommand } from './diff.ts';
export { patternsCommand } from './patterns.ts';
export { servicesCommand } from './services.ts';
export { sessionsCommand } from './sessions.ts';
