export { detectCommand } from './detect.ts';
export { diffCommand } from './diff.ts';
export { gapsCommand } from './gaps.ts';
export { investigateCommand } from './investigate.ts';
export { patternsCommand } from './patterns.ts';
export { servicesCommand } from './services.ts';
export { sessionsCommand } from './sessions.ts';
export { suggestCommand } from './suggest.ts';
