export {
  type Addresses,
  addressesOf,
  adminPath,
  catalogPath,
  downloadAddress,
  exportPath,
  generateTokenPath,
  propertiesPath,
  reachableAddress,
  revokeTokenPath,
  searchPath,
  upgradesPath,
  uploadPath,
} from './addresses.ts';
export {
  checkSettings,
  type SettingFinding,
  type SettingFindingCode,
  settingFindingCodes,
  withLicense,
} from './administration/check-settings.ts';
export { type CheckedTemplate, type CheckOptions, checkTemplate } from './administration/check-template.ts';
export { affectedBy, diffTemplates, type TemplateChange } from './administration/diff-templates.ts';
export {
  type TemplateFinding,
  type TemplateFindingCode,
  templateFindingCodes,
} from './administration/finding.ts';
export { hpaVersionOf } from './administration/hpa-version.ts';
export { isSameJson } from './administration/json.ts';
export type { ChangedTemplate } from './administration/locate-member.ts';
export { type TemplateMember, templateMembers } from './administration/members.ts';
export { memberPath, readMemberPath } from './administration/path.ts';
export { countOf, newMessages, progressOf, type UpgradeProgress } from './administration/progress.ts';
export { memoryOf, processorsOf, type Quantity } from './administration/quantity.ts';
export { replicaCounts } from './administration/replica-counts.ts';
export { setMember } from './administration/set-member.ts';
export { unsetMember } from './administration/unset-member.ts';
export { soapType } from './catalog/envelope.ts';
export { failureOfFault, faultIn, toFault } from './catalog/fault.ts';
export { proVersions, serverVersions, versionInWords } from './catalog/message-version.ts';
export type { CatalogOperation, CatalogReply, CatalogReplyOf, CatalogRequest } from './catalog/operation.ts';
export {
  isCatalogNamespace,
  type ProfileName,
  type VendorProfile,
  vendorProfiles,
} from './catalog/profile.ts';
export { fromCatalogReply, toCatalogReply } from './catalog/reply-message.ts';
export {
  type CatalogRequestMessage,
  type CatalogRequestProblem,
  fromCatalogRequest,
  toCatalogRequest,
} from './catalog/request-message.ts';
export { type ServiceDescription, sourceOf } from './catalog/service-description.ts';
export { toWsdl } from './catalog/wsdl.ts';
export {
  defaultLogs,
  deploymentLogLevels,
  type ExportRequest,
  fromExportForm,
  maxLogs,
  missingParameters,
  newestLogsRequest,
  sortKeys,
  sortOrders,
  toExportForm,
} from './export-request.ts';
export { type Failure, type FailureShape, failureCodes, joinTexts, toFailureBody } from './failure.ts';
export {
  type JobResource,
  jobResourceOf,
  type SubmittedJob,
  stageOf,
  submittedJobOf,
  toJobBody,
} from './job.ts';
export { jobIdsOf, jobsPath } from './job-list.ts';
export { lenientNumber, type Numeric } from './lenient.ts';
export { infoPaths, isDeploymentInfo, isSignInPage, likelyBase, usualContexts } from './likely-base.ts';
export { logCountOf } from './log-count.ts';
export { queryPath, toLogQueryForm, toLogSearchForm } from './logs/log-list-form.ts';
export { type LogPage, logPageOf } from './logs/log-page.ts';
export {
  type LogSettings,
  logAgeDays,
  logSettingsOf,
  logSettingsPath,
  toLogSettingsForm,
} from './logs/log-settings.ts';
export {
  isReady,
  type Microservice,
  type MicroserviceStatus,
  microserviceStatusOf,
  microservicesOf,
  microservicesPath,
} from './microservice.ts';
export { readMultipart } from './multipart.ts';
export { fromEditForm, toEditForm } from './properties/edit-form.ts';
export { templateDefaults } from './properties/known-values.ts';
export { readTemplate } from './properties/read-template.ts';
export type {
  Autoscaling,
  Container,
  PodPlacementPolicy,
  PropertyTemplate,
  Replicas,
  Resources,
} from './properties/template.ts';
export { type TemplateList, templatesOf, type UnreadableTemplate } from './properties/templates-of.ts';
export { firstWords, parseReplyText } from './reply.ts';
export { type ReplyFormat, replyFormatOf, replyFormats } from './reply-format.ts';
export { isSuccess } from './success.ts';
export {
  bearerHeader,
  defaultTokenMinutes,
  fromTokenForm,
  minutesOf,
  type TokenReply,
  type TokenRequest,
  tokenClients,
  tokenOf,
  tokenReplyOf,
  toTokenForm,
} from './token.ts';
export { rollbackMessageCodes, upgradeMessageCodes } from './upgrades/message-codes.ts';
export { fromRollbackForm, type RollbackRequest, toRollbackForm } from './upgrades/rollback-form.ts';
export {
  containerNames,
  isUpdateId,
  listedUpdatesOf,
  rollbackOptionsOf,
  toUpdateId,
  type Update,
  updateIdOf,
} from './upgrades/update.ts';
export { fromUpgradeForm, toUpgradeForm, type UpgradeRequest } from './upgrades/upgrade-form.ts';
export {
  isRequired,
  settingIds,
  toSettingsBody,
  type UpgradeSetting,
  upgradeSettingsOf,
  type Volume,
  volumesOf,
} from './upgrades/upgrade-setting.ts';
export {
  toStatusBody,
  type UpgradeMessage,
  type UpgradeStatus,
  upgradeStageOf,
  upgradeStates,
  upgradeStatusOf,
} from './upgrades/upgrade-status.ts';
export {
  type NamedFile,
  toUploadForm,
  type UploadedItem,
  uploadedItemOf,
  uploadField,
  uploadOf,
  uploadsOf,
  uploadsPath,
} from './upload.ts';
export { compareVersions, introducedIn, isVersionSince } from './versions.ts';
export { isXmlText } from './xml/characters.ts';
export { type DecodedXml, decodeXml } from './xml/decode-xml.ts';
