/** What kinds of channels there are, and which of them programs can create. */
import { Refusal } from '../../../core/errors.js'
import { may } from '../../../core/people/role.js'
import { toJson } from '../../../core/wire/json.js'
import type { Field } from '../../../integrations/field.js'
import { integrationOf, integrations, needToChange } from '../../../integrations/index.js'
import type { Integration } from '../../../integrations/integration.js'
import { missingToAdd } from '../../../integrations/missing-settings.js'
import type { AppDeps } from '../../deps.js'
import { operatorOf } from '../../operator.js'
import type { NativeOperation } from '../native-operation.js'
import { FieldRefusal, ScopeRefusal } from '../problem.js'
import type { Access } from '../serve/caller.js'
import { kindsAnswer } from './schemas.js'

export const listKinds: NativeOperation = {
  id: 'listChannelKinds',
  summary: 'List the kinds of channels with their fields',
  scope: 'channels:write',
  responses: { 200: { description: 'The kinds, by label.', schema: kindsAnswer } },
  errors: {},
  async handle({ deps }) {
    const operator = operatorOf(deps)
    const kinds = integrations.map(integration => ({
      kind: integration.kind,
      label: integration.label,
      help: integration.help,
      available: missingToAdd(integration, operator).length === 0,
      by_api: isByApi(integration),
      fields: fieldsByHand(integration).map(fieldShape),
    }))
    return { status: 200, body: toJson({ kinds }) }
  },
}

/** The kind in a body. Throws a `FieldRefusal` if this version does not have it. */
export function knownKind(kind: string): Integration {
  const integration = integrationOf(kind)
  if (!integration) throw new FieldRefusal([{ detail: 'there is no such kind of channel', pointer: '/kind' }])
  return integration
}

/** Throws a `Refusal` if the role does not allow changing channels of this kind. */
export function requireRole({ role }: Access, kind: string): void {
  if (!may(role, needToChange(kind))) {
    throw new ScopeRefusal('the role in the project does not allow channels of this kind', 'channels:write')
  }
}

/** Throws a `Refusal` if the operator has not set what the kind needs. */
export function requireAvailable(deps: AppDeps, integration: Integration): void {
  const missing = missingToAdd(integration, operatorOf(deps))
  if (missing.length > 0) {
    throw new Refusal('conflict', `the operator has not set ${missing.join(', ')} for this kind`)
  }
}

/** The page where a person finishes a channel of a kind that programs cannot create; null for others. */
export function pageToFinish(deps: AppDeps, integration: Integration, projectUuid: string) {
  requireAvailable(deps, integration)
  if (isByApi(integration)) return null
  return {
    setup_url: `${deps.config.SITE_ROOT}/projects/${projectUuid}/integrations/add/${integration.kind}/`,
    reason: `${integration.label} asks a person to agree`,
  }
}

/** The fields of a new channel, without those that the service sets. */
export function fieldsByHand({ fields }: Integration): readonly Field[] {
  return fields.filter(({ setByService }) => !setByService)
}

/** The fields that may be changed, without those that a service or a recipient has verified. */
export function editableFields(integration: Integration): readonly Field[] {
  const { setup } = integration
  const fixed = setup && 'fixed' in setup ? (setup.fixed ?? []) : []
  return fieldsByHand(integration).filter(({ name }) => !fixed.includes(name))
}

function isByApi({ setup }: Integration): boolean {
  if (setup?.way === 'authorise') return setup.byHand
  return setup?.way !== 'invite' && setup?.way !== 'confirm'
}

function fieldShape(field: Field) {
  return {
    name: field.name,
    label: field.label,
    type: field.type,
    required: field.required ?? false,
    sensitive: field.sensitive ?? false,
    choices: field.choices ?? null,
    default: field.default ?? '',
    help: field.help ?? '',
  }
}
