export { version } from '../store/chain/version.ts';
