import type { EventNames } from '../../../core/events/shown-changes.js'
import { integrationOf } from '../../../integrations/index.js'
import { uniqueKey } from '../../../storage/checks/checks.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { WebContext } from '../context.js'
import { policyNames } from '../incidents/policies/names.js'

/** What the names in the events of a project stand for now. `zone`: the reader's. */
export async function eventNames(c: WebContext, project: ProjectAccess, zone: string): Promise<EventNames> {
  const { store } = c.var.deps
  const [channels, checks, policies] = await Promise.all([
    store.channels.list(project.id),
    store.incidents.parentChoices(project.id, null),
    store.incidents.policies(project.id),
  ])
  const kinds = new Map(channels.map(({ uuid, kind }) => [uuid, kind]))
  return {
    channels: policyNames(channels).channels,
    checks: new Map(checks.map(({ uuid, label }) => [uuid, label])),
    policies: new Map(policies.map(({ id, name }) => [id, name])),
    checkKey: uniqueKey,
    settingLabel(channel, setting) {
      const fields = integrationOf(kinds.get(channel) ?? '')?.fields ?? []
      return fields.find(({ name }) => name === setting)?.label ?? null
    },
    zone,
  }
}
