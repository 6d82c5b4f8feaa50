/** Push monitors of Uptime Kuma's database (versions 1 and 2). Source: `db/knex_init_db.js` and the migrations of its repository. */
import type { Json } from '../../config/project-config.js'
import { Draft, textIn } from './draft.js'

export type KumaRow = { readonly [column: string]: Json }

/** The rows that are read; a table that a version does not have is empty. */
export interface KumaRows {
  monitor: readonly KumaRow[]
  tag: readonly KumaRow[]
  monitor_tag: readonly KumaRow[]
  notification: readonly KumaRow[]
  monitor_notification: readonly KumaRow[]
}

const MIN_SECONDS = 60

/** A draft of the push monitors; all others are noted. `keepsTokens`: whether push tokens go on working. */
export function readUptimeKuma(rows: KumaRows, keepsTokens = false): Draft {
  const draft = new Draft()
  const names = new Map(rows.monitor.map(({ id, name }) => [id, textIn(name)]))
  const tagNames = new Map(rows.tag.map(({ id, name }) => [id, textIn(name)]))
  const notifications = new Map(rows.notification.map(({ id, name }) => [id, textIn(name)]))
  for (const row of rows.monitor) {
    const [name, type] = [textIn(row.name), textIn(row.type)]
    if (type === 'group') continue
    if (type !== 'push') {
      draft.note(
        name,
        `It was left out: a monitor of the type ${type} asks something itself, while checks wait for pings.`,
      )
      continue
    }
    const links = rows.monitor_tag.filter(({ monitor_id }) => monitor_id === row.id)
    const tags = links.map(({ tag_id, value }) =>
      [tagNames.get(tag_id ?? null), textIn(value)].filter(Boolean).join(':'),
    )
    const key = addMonitor(draft, row, [...tags, names.get(row.parent ?? null) ?? ''])
    const sentTo = rows.monitor_notification
      .filter(({ monitor_id }) => monitor_id === row.id)
      .flatMap(({ notification_id }) => notifications.get(notification_id ?? null) ?? [])
    if (draft.addresses.has(key) && !keepsTokens)
      draft.note(
        key,
        'Its push token is kept only with --keep-tokens; else let its job ping the new address.',
      )
    if (sentTo.length > 0)
      draft.note(
        key,
        `Its notifications were not carried over: ${sentTo.join(', ')}. Give the check channels here.`,
      )
  }
  return draft
}

function addMonitor(draft: Draft, row: KumaRow, tags: readonly string[]): string {
  const interval = Number(row.interval)
  const retries = Number(row.maxretries ?? 0)
  const wait = retries * (Number(row.retry_interval) || interval)
  const key = draft.addCheck(textIn(row.name), {
    name: textIn(row.name),
    period: Math.max(interval, MIN_SECONDS),
    grace: Math.max(wait, MIN_SECONDS),
    desc: row.description,
    tags: tags.map(tag => tag.trim().replace(/\s+/g, '-')).filter(tag => tag !== ''),
  })
  if (interval < MIN_SECONDS) draft.note(key, `interval ${interval} s: the shortest period here is a minute.`)
  if (wait < MIN_SECONDS)
    draft.note(key, 'It goes down a minute after the time of a push: the shortest grace here.')
  if (isTrue(row.upside_down))
    draft.note(key, 'Upside down mode was not carried over: a push is always a success here.')
  if (Number(row.resend_interval ?? 0) > 0)
    draft.note(key, 'resend_interval was not carried over: a policy repeats alerts here.')
  if (!isTrue(row.active)) draft.note(key, `It is paused; here \`punctual checks pause ${key}\` does that.`)
  const token = textIn(row.push_token)
  if (token !== '') {
    draft.addresses.set(key, `/api/push/${token}`)
  }
  return key
}

function isTrue(value: Json | undefined): boolean {
  return value === true || Number(value ?? 0) !== 0
}
