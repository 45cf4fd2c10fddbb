export { version } from '../store/version.ts';
