/** A project in the form in which files of configuration are compared with it. */
import { bySection, type Json, type ProjectConfig } from '../../../core/config/project-config.js'
import { type ChannelSections, channelSections } from '../../../core/config/sections.js'
import { channelKinds } from '../../../integrations/channel-kinds.js'
import { integrationOf } from '../../../integrations/index.js'
import { once } from '../../../lib/once.js'
import type { StoredConfig } from '../../../storage/projects/config/stored-config.js'
import type { StoredObject } from '../../../storage/projects/config/stored-object.js'

/** The fields of channels of every kind. */
export const channelFields: () => ChannelSections = once(() => channelSections(channelKinds()))

/** The project of the tables, with the settings of channels as fields. `leaveOver`: without silences that are over. */
export function projectConfigOf({ objects }: StoredConfig, leaveOver = false): ProjectConfig {
  return bySection(section => {
    const shown = objects[section].filter(({ isOver }) => !(leaveOver && isOver))
    return new Map(
      shown.map(object => [
        object.key,
        { owner: object.owner, values: section === 'channels' ? channelValues(object) : object.values },
      ]),
    )
  })
}

/** Of a kind that this version does not know, only what all channels have. */
function channelValues({ key, values }: StoredObject): ReadonlyMap<string, Json> {
  const kind = values.get('kind')!
  const settings = values.get('settings') as Readonly<Record<string, string>>
  const fields = channelFields().get(String(kind)) ?? new Map()
  const shown = new Map<string, Json>([
    ['kind', kind],
    ['name', values.get('name')!],
  ])
  const members = new Set(
    integrationOf(String(kind))?.fields.flatMap(({ name, type }) => (type === 'channels' ? [name] : [])),
  )
  for (const [name, field] of fields) {
    if (shown.has(name)) continue
    shown.set(name, members.has(name) ? values.get('members')! : settings[name] || field.byDefault(key))
  }
  return shown
}
