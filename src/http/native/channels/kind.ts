/** What kinds of channels there are, and which of them programs can create. */
import { fieldsByHand, isByProgram } from '../../../actions/channels/add-by-program.js'
import { may } from '../../../core/people/role.js'
import { toJson } from '../../../core/wire/json.js'
import type { Field } from '../../../integrations/field.js'
import { integrationOf, integrations, needToChange } from '../../../integrations/index.js'
import type { Integration } from '../../../integrations/integration.js'
import { missingToAdd } from '../../../integrations/missing-settings.js'
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
      by_api: isByProgram(integration),
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
