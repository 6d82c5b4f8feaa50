import { checkLabel } from '../alerts/alert.js'
import { projectLabel } from '../projects/project-label.js'
import type { RecordedEvent } from './event.js'
import { objectKindOf } from './event-types.js'
import type { EventNames } from './shown-changes.js'

/**
 * What the log of changes calls the object of an event: its name then, else what pages call it now. Null: nothing, as for a
 * silence without a reason.
 */
export function objectLabel(
  { type, object: { id, name }, before, after }: Pick<RecordedEvent, 'type' | 'object' | 'before' | 'after'>,
  names: Pick<EventNames, 'checks' | 'channels' | 'checkKey'>,
): string | null {
  if (name !== '') return name
  const kind = objectKindOf(type)
  if (kind === 'check')
    return names.checks.get(id) ?? unnamedCheck(id, slugIn(after) || slugIn(before), names)
  const check = kind === 'incident' ? (after?.check ?? before?.check) : undefined
  if (typeof check === 'string') return names.checks.get(check) ?? unnamedCheck(check, '', names)
  if (kind === 'channel') return names.channels.get(id) ?? null
  return kind === 'project' ? projectLabel({ name }) : null
}

function unnamedCheck(uuid: string, slug: string, { checkKey }: Pick<EventNames, 'checkKey'>): string {
  return checkLabel({ name: '', slug, uniqueKey: checkKey(uuid) })
}

function slugIn(values: RecordedEvent['after']): string {
  return typeof values?.slug === 'string' ? values.slug : ''
}
