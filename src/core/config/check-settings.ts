/** The settings of a check as a file has them, and back. */
import type { CheckChanges } from '../checks/check-changes.js'
import { DEFAULT_SETTINGS, type Settings } from '../checks/check-fields.js'
import { nativeValue, separatorOf } from '../wire/native-fields.js'
import { fileName, PLAIN, SCHEDULES } from './check-section.js'
import { isTextList } from './config-field.js'
import type { Json, Values } from './project-config.js'

/** The values of a check with these settings, without what it is linked to. */
export function valuesOfCheck(settings: Settings): Map<string, Json> {
  const { kind, slug, schedule, periodSeconds } = settings
  const values = new Map<string, Json>(
    PLAIN.map(field => [fileName(field), nativeValue(field.type, settings[field.name])]),
  )
  values.set('slug', slug)
  values.set('period', kind === 'simple' ? periodSeconds : null)
  for (const one of ['cron', 'oncalendar'] as const) values.set(one, kind === one ? schedule : null)
  return values
}

/** The changes of settings that values ask for; absent ones change nothing. */
export function changesOfCheck(values: Values): CheckChanges {
  const changes: Record<string, unknown> = {}
  for (const field of PLAIN) {
    const value = values.get(fileName(field))
    if (value === undefined) continue
    const separator = separatorOf(field.type)
    changes[field.name] = separator !== null && isTextList(value) ? value.join(separator) : value
  }
  if (values.has('slug')) changes.slug = values.get('slug')
  const schedule = values.get('cron') ?? values.get('oncalendar') ?? null
  if (schedule !== null) changes.schedule = schedule
  else if (SCHEDULES.some(name => values.has(name)))
    changes.periodSeconds = values.get('period') ?? DEFAULT_SETTINGS.periodSeconds
  return changes
}
