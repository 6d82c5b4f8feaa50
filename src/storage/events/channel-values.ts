/** A channel in events: what people may see of it. */
import { type FieldValues, MASKED } from '../../core/events/event.js'
import { withoutPassword } from '../../core/text/without-password.js'
import type { Db } from '../db.js'

/** The stored values that events show. */
interface StoredChannel {
  kind: string
  name: string
  settings: string
  disabled: number
  confirmed: number
}

/** The values of a channel. Settings that its kind does not declare as open are compared, and then masked. */
export function channelValues(channel: StoredChannel): FieldValues {
  const settings = JSON.parse(channel.settings) as Record<string, string>
  return {
    name: channel.name,
    kind: channel.kind,
    enabled: channel.disabled === 0,
    confirmed: channel.confirmed === 1,
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`settings.${name}`, value])),
  }
}

/** These values with the secrets of a channel masked, and passwords in the URLs of other settings. */
export function withoutSecrets(db: Db, kind: string, values: FieldValues): FieldValues {
  const shown = db.settings.shownSettings[kind] ?? []
  const masked = mapSettings(values, (value, name) => {
    if (value === '' || value === null) return value
    return shown.includes(name) ? value : MASKED
  })
  return withoutPasswords(masked)
}

/** These values with the passwords in URLs of settings masked. They may be masked already. */
export function withoutPasswords(values: FieldValues): FieldValues {
  return mapSettings(values, value => (typeof value === 'string' ? withoutPassword(value, MASKED) : value))
}

const SETTING = 'settings.'

function mapSettings(values: FieldValues, map: (value: unknown, name: string) => unknown): FieldValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name.startsWith(SETTING) ? map(value, name.slice(SETTING.length)) : value,
    ]),
  )
}
