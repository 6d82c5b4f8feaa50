/** Which channels programs and files can create, and which of their fields they can change. */
import { Refusal } from '../../core/errors.js'
import type { Field } from '../../integrations/field.js'
import type { Integration } from '../../integrations/integration.js'
import { missingToAdd } from '../../integrations/missing-settings.js'
import type { Operator } from '../../integrations/setup.js'

/** The installation: the operator's settings, and its address. */
export interface Installation {
  operator: Operator
  siteRoot: string
}

/** Throws a `Refusal` if the operator has not set what the kind needs. */
export function requireAvailable(operator: Operator, integration: Integration): void {
  const missing = missingToAdd(integration, operator)
  if (missing.length > 0) {
    throw new Refusal('conflict', `the operator has not set ${missing.join(', ')} for this kind`)
  }
}

/** The page where a person finishes a channel of a kind that programs cannot create; null for others. */
export function pageToFinish(
  { operator, siteRoot }: Installation,
  integration: Integration,
  projectUuid: string,
) {
  requireAvailable(operator, integration)
  if (isByProgram(integration)) return null
  return {
    setup_url: `${siteRoot}/projects/${projectUuid}/integrations/add/${integration.kind}/`,
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

/** Whether programs can create channels of a kind. */
export function isByProgram({ setup }: Integration): boolean {
  if (setup?.way === 'authorise') return setup.byHand
  return setup?.way !== 'invite' && setup?.way !== 'confirm'
}
