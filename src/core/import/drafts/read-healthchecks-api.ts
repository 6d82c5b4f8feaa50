/** Checks as version 3 of the API of Healthchecks answers them. Source: https://healthchecks.io/docs/api/. */
import { fileName } from '../../config/check-section.js'
import type { Json } from '../../config/project-config.js'
import { NATIVE_FIELDS } from '../../wire/native-fields.js'
import { Draft, scheduleField, textIn } from './draft.js'

export type ApiObject = { readonly [name: string]: Json }

/** Members that only say what happened, or are what other members say. */
const STATE = new Set([
  ...[
    'uuid',
    'unique_key',
    'ping_url',
    'update_url',
    'pause_url',
    'resume_url',
    'badge_url',
    'n_pings',
    'status',
  ],
  ...['started', 'last_ping', 'last_duration', 'next_ping', 'channels', 'schedule', 'timeout', 'tz'],
  // Older names of filter_subject, success_kw and failure_kw.
  ...['subject', 'subject_fail'],
])

/** The fields of the API of Healthchecks that a file has under another name, or the same. */
const FIELDS = new Map(NATIVE_FIELDS.flatMap(field => (field.api ? [[field.api, field] as const] : [])))

/** A draft of the checks. `channels`: null if the key may not list them. */
export function readHealthchecksApi(
  checks: readonly ApiObject[],
  channels: readonly ApiObject[] | null,
): Draft {
  const draft = new Draft()
  for (const check of checks)
    addCheck(draft, check, new Map(channels?.map(({ id, name }) => [id, textIn(name)])))
  for (const { name, kind } of channels ?? [])
    draft.note(
      `channel ${textIn(name)}`.trim(),
      `It was left out (${textIn(kind)}): the API does not tell where it sends.`,
    )
  if (channels === null) draft.note('channels', 'They were left out: the key may not list them.')
  draft.note(
    'the API',
    'It has no members, keys, pings, status changes or notifications. `punctual import healthchecks` reads them from the database, and keeps ping URLs, badges and keys.',
  )
  return draft
}

function addCheck(draft: Draft, check: ApiObject, channels: ReadonlyMap<Json | undefined, string>): void {
  const timing =
    textIn(check.schedule) === '' ? { period: check.timeout } : scheduleField(textIn(check.schedule))
  const values: { [name: string]: Json | undefined } = {}
  for (const [name, value] of Object.entries(check)) {
    const field = FIELDS.get(name)
    if (!STATE.has(name) && field !== undefined && field.key !== 'slug') values[fileName(field)] = value
  }
  const slug = textIn(check.slug)
  const key = draft.addCheck(slug || textIn(check.name), {
    ...values,
    ...(typeof timing === 'string' ? {} : timing),
    timezone: check.tz,
  })
  if (slug !== '' && slug !== key)
    draft.note(key, `Its slug ${slug} is that of another check, so it has a new one.`)
  if (slug === '') draft.note(key, 'It had no slug, and has one here.')
  if (typeof timing === 'string') draft.note(key, `The schedule was left out: ${timing}`)
  if (check.status === 'paused')
    draft.note(key, `It is paused; here \`punctual checks pause ${key}\` does that.`)
  if (textIn(check.ping_url) !== '') {
    draft.addresses.set(key, textIn(check.ping_url))
    draft.note(key, 'Its UUID was not carried over: let its job ping the new address.')
  } else draft.note(key, 'Its ping URL is not known: a read-only key does not show UUIDs.')
  const sentTo = textIn(check.channels)
    .split(',')
    .flatMap(id => channels.get(id) ?? [])
  if (sentTo.length > 0) draft.note(key, `Its channels were not carried over: ${sentTo.join(', ')}.`)
  for (const name of Object.keys(check))
    if (!STATE.has(name) && !FIELDS.has(name)) draft.note(key, `${name} was not carried over.`)
}
