/** A silence: a time, once or again and again, in which alerts are held. Decision 0115. */

/** `expect_nothing`: in that time no occurrence of a check is required, either. */
export type SilenceMode = 'hold' | 'expect_nothing'

/** The checks of a silence: some, those with at least one of these tags, or all of the project. */
export type SilenceScope = { checks: readonly number[] } | { tags: readonly string[] } | { project: true }

/** Once: from `from` to `to`, which is excluded. Instants in ms. */
export interface OnceTimes {
  kind: 'once'
  from: number
  to: number
}

/** A window begins at each occurrence from `from` on, by the clock of `tz`, and lasts this long in elapsed seconds. */
export interface RecurringTimes {
  kind: 'cron' | 'oncalendar'
  schedule: string
  tz: string
  durationSeconds: number
  from: number
}

export type SilenceTimes = OnceTimes | RecurringTimes

/** What decides when a silence is active. `endedAt`: nothing of it is active from then on; null: it was not ended. */
export interface Timed {
  times: SilenceTimes
  endedAt: number | null
  /** Nothing of it counts before; null or absent: all does. */
  appliesFrom?: number | null
}

/** What people choose when they create a silence. */
export interface SilenceSettings {
  mode: SilenceMode
  scope: SilenceScope
  /** The channels that are held; null: all. */
  channels: readonly number[] | null
  times: SilenceTimes
  reason: string
}

export interface Silence extends SilenceSettings, Timed {
  id: number
  projectId: number
  /** Who created it: a person's name or the name of a key. */
  createdBy: string
  createdAt: number
}

/** Whether a check belongs to a scope. `tags`: null if they were not read. */
export function isInScope(
  scope: SilenceScope,
  check: { checkId: number; tags: readonly string[] | null },
): boolean {
  if ('checks' in scope) return scope.checks.includes(check.checkId)
  if ('tags' in scope) return scope.tags.some(tag => check.tags?.includes(tag))
  return true
}

/** Returns whether a silence holds a channel: it may be asked about hundreds. */
export function holdsChannels({ channels }: Pick<Silence, 'channels'>): (channelId: number) => boolean {
  const held = channels && new Set(channels)
  return channelId => held?.has(channelId) ?? true
}
