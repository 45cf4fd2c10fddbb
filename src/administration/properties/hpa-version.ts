import type { Autoscaling } from '../../protocol/index.ts';

/** The version of an autoscaling and where it says so: in its specification, or beside it as version 1 does. */
export function hpaVersionOf({ hpaSpec, hpaVersion }: Autoscaling): {
  readonly version: string | undefined;
  readonly path: string;
} {
  const inside = hpaSpec?.hpaVersion ?? undefined;
  const at = inside === undefined && hpaVersion ? 'hpaVersion' : 'hpaSpec.hpaVersion';
  return { version: inside ?? hpaVersion ?? undefined, path: `spec.replicas.autoscaling.${at}` };
}
