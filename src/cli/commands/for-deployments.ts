export { demo } from './demo.ts';
export { emulate } from './emulate.ts';
export { exportLogs } from './export.ts';
