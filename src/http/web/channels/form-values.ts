import { Refusal } from '../../../core/errors.js'
import type { ChannelSettings } from '../../../integrations/field.js'
import { maskSettings } from '../../../integrations/fields.js'
import { integrationOf } from '../../../integrations/index.js'
import type { Integration } from '../../../integrations/integration.js'
import { joinMembers } from '../../../integrations/members.js'
import { MASK } from '../../../lib/settings.js'
import type { Channel } from '../../../storage/channels/channels.js'
import type { Form } from '../form.js'

/** The integration of a kind. Throws `Refusal('not-found')` if this version does not have it. */
export function knownIntegration(kind: string): Integration {
  const integration = integrationOf(kind)
  if (!integration) throw new Refusal('not-found', 'there is no such kind of integration')
  return integration
}

/** The kind with the fields that a form shows. */
export function askedByHand(integration: Integration): Integration {
  return { ...integration, fields: integration.fields.filter(({ setByService }) => !setByService) }
}

/** The values of an integration's fields in a form. A secret that is left empty is taken from `stored`. */
export function readValues(
  integration: Integration,
  form: Form,
  stored: ChannelSettings = {},
): Record<string, string> {
  const kept = secretsLeftEmpty(integration, form)
  const values = integration.fields.map(({ name, type, sameAs }) => {
    if (type === 'flag') return [name, form.text(name) === 'true' ? 'true' : 'false']
    if (type === 'channels') return [name, form.all(name).join(',')]
    const from = sameAs !== undefined && form.has('same') ? sameAs : name
    return [name, kept.includes(from) ? (stored[from] ?? '') : form.text(from)]
  })
  return Object.fromEntries(values)
}

/**
 * The secrets that were left unchanged: their field is empty, not because they are to be removed, and they do not follow another
 * field, which the rules for secrets then apply to.
 */
export function secretsLeftEmpty({ fields }: Integration, form: Form): string[] {
  return fields
    .filter(({ sameAs }) => sameAs === undefined || !form.has('same'))
    .filter(
      ({ name, sensitive }) => sensitive && form.text(name).trim() === '' && !form.has(`remove_${name}`),
    )
    .map(({ name }) => name)
}

/** Whether every field that can follow another one has its value; false if there is none. */
export function areSame({ fields }: Integration, values: ChannelSettings): boolean {
  const following = fields.filter(({ sameAs }) => sameAs !== undefined)
  return (
    following.length > 0 &&
    following.every(({ name, sameAs }) => (values[name] ?? '') === (values[sameAs!] ?? ''))
  )
}

/** The initial values in a new channel's form. */
export function defaultValues(integration: Integration): Record<string, string> {
  return Object.fromEntries(integration.fields.map(field => [field.name, field.default ?? '']))
}

/** The values that a form may show, without secrets. */
export function withoutSecrets(integration: Integration, values: ChannelSettings): Record<string, string> {
  const shown = integration.fields.map(({ name, sensitive }) => [name, sensitive ? '' : (values[name] ?? '')])
  return Object.fromEntries(shown)
}

/** The stored secrets, each with the part that may be shown. */
export function keptSecrets(integration: Integration, stored: ChannelSettings): Record<string, string> {
  const masked = maskSettings(integration, stored)
  const kept = integration.fields.filter(({ name, sensitive }) => sensitive && (stored[name] ?? '') !== '')
  return Object.fromEntries(kept.map(({ name }) => [name, masked[name] ?? MASK]))
}

/** The channels that can be members of another one, as options of a form. */
export function memberChoices(
  channels: readonly Channel[],
  except: string | null,
): { uuid: string; label: string }[] {
  return channels
    .filter(channel => channel.uuid !== except && channel.members.length === 0)
    .map(channel => ({ uuid: channel.uuid, label: titleOf(channel) }))
}

/** A channel's name, or its destination if it has none. */
export function titleOf(channel: Pick<Channel, 'name' | 'kind' | 'settings' | 'members'>): string {
  return channel.name || describe(channel)
}

/** A channel's destination, without secrets. */
export function describe({
  kind,
  settings,
  members,
}: Pick<Channel, 'kind' | 'settings' | 'members'>): string {
  const integration = integrationOf(kind)
  if (!integration) return kind
  return integration.describe(joinMembers(integration, settings, members)) || integration.label
}
