import type { PropertyTemplate } from '../../../src/protocol/property-template.ts';
import type { Update, UpgradeSetting, UpgradeStatus } from '../../../src/protocol/upgrades.ts';

/*
 * Answers as the tables of the interface document show them, with values that
 * the reference deployment does not have.
 */

/** The finished job of an export (section 2.2) at a deployment. */
export function finishedJob(root: string) {
  return {
    status: 'COMPLETED',
    result: { URL: `${root}/uploads/logs-17` },
    updatedtime: 1_663_000_000_300,
    starttime: 1_663_000_000_100,
    endtime: 1_663_000_000_200,
    jobid: 'j-17',
    resource: { name: 'logs' },
    requestID: 'request-17',
    name: 'exportLogs',
    operationURI: '/admin/logs/export',
    username: 'operator',
  };
}

/** A default property template (section 2.3) of version 11.2. */
export const templateExample: PropertyTemplate = {
  mode: 'Dedicated',
  provider: 'VendorObjects11',
  id: 'template-17',
  type: 'GPServer',
  spec: {
    replicas: { min: 2, max: 2, scalingMode: 'manual' },
    containers: [
      {
        name: 'main-container',
        resources: { memoryMin: '600Mi', memoryMax: '3Gi', cpuMin: '0.25', cpuMax: '3' },
        containerImageKey: 'GP_SERVER',
      },
      {
        name: 'filebeat',
        resources: { memoryMin: '50Mi', memoryMax: '90Mi', cpuMin: '0.01', cpuMax: '0.2' },
        containerImageKey: 'FILEBEAT',
      },
    ],
  },
  revision: 1_663_000_000_000,
};

/** Autoscaling of version 2 (section 2.4). */
export const autoscalingV2 = {
  hpaSpec: {
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: '70' } },
      },
    ],
    hpaVersion: 'autoscaling/v2',
  },
};

/** Autoscaling of version 1 (section 2.4). */
export const autoscalingV1 = {
  hpaSpec: { targetCPUUtilizationPercentage: 60 },
  hpaVersion: 'autoscaling/v1',
};

/** A placement policy (section 2.5). */
export const placementExample = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd', 'nvme'] }] }],
    },
  },
  tolerations: [{ effect: 'NoSchedule', key: 'dedicated', operator: 'Equal', value: 'gis' }],
};

/** The volumes in the text of `volumesConfig` (section 2.6). */
export const volumesExample = ['BLOB', 'SHARING'].map((component, at) => ({
  component,
  labels: { tier: 'gold' },
  provisioningType: 'DYNAMIC',
  size: `${40 + at}Gi`,
  storageClass: 'fast',
}));

/** The settings of an upgrade (section 2.6). */
export const settingsExample: readonly UpgradeSetting[] = [
  {
    seqNum: 1,
    id: 'updateToLatestPatch',
    name: 'updateToLatestPatch',
    description: 'label.latest',
    type: 'Boolean',
    value: true,
    defaultValue: true,
    required: false,
    newfield: '',
    isManagerInvisibleField: true,
  },
  {
    seqNum: 2,
    id: 'licenseUpload',
    name: 'licenseUpload',
    description: 'label.license',
    type: 'File',
    value: '',
    required: true,
    newfield: '',
    validFileExtensions: ['json'],
  },
  {
    seqNum: 3,
    id: 'volumesConfig',
    name: 'volumesConfig',
    description: 'label.volumes',
    type: 'Text',
    value: JSON.stringify(volumesExample),
    defaultValue: JSON.stringify(volumesExample),
    required: true,
    newfield: '',
    orderedListofTemplates: 'one,two',
    templateName: 'volumes',
    isTemplateRequired: true,
  },
];

/** An item of `updates` (section 2.7). */
export const updateExample: Update = {
  id: 'rel_1100_17',
  type: 'release',
  name: 'Release 11.0',
  description: 'The base release',
  version: '11.0',
  build: '17',
  previousVersion: '10.9.1',
  previousReleaseBuild: '16',
  released: 1_663_000_000_000,
  url: 'https://downloads.example/rel_1100_17',
  containers: [{ name: 'GP_SERVER', image: 'images.example/gp:17', checksum: 'sha256:0017' }],
};

/** The upgrades resource after a success (section 2.8). */
export const statusExample: UpgradeStatus = {
  state: 'success',
  code: 3,
  messages: [
    {
      message: 'Upgrade process started from version 11.0 to version 11.1',
      code: 2010,
      when: 1_663_000_000_000,
    },
    { message: '2 out of 9 deployments updated', code: 2175, when: 1_663_000_000_500 },
  ],
};
