import { atLeast, atMost, includes, type NumberSet } from './number-set.js'

/** The times of day of a schedule: every combination of its hours, minutes and seconds. */
export interface TimeRule {
  readonly hours: NumberSet
  readonly minutes: NumberSet
  readonly seconds: NumberSet
}

/** The first matching second of the day at or after `second` (0-86399), or -1. */
export function timeAtLeast(rule: TimeRule, second: number): number {
  const hour = Math.floor(second / 3600)
  const minute = Math.floor(second / 60) - hour * 60
  if (includes(rule.hours, hour)) {
    if (includes(rule.minutes, minute)) {
      const found = atLeast(rule.seconds, second % 60)
      if (found >= 0) return second - (second % 60) + found
    }
    const later = atLeast(rule.minutes, minute + 1)
    if (later >= 0) return hour * 3600 + later * 60 + atLeast(rule.seconds, 0)
  }
  const later = atLeast(rule.hours, hour + 1)
  return later < 0 ? -1 : later * 3600 + atLeast(rule.minutes, 0) * 60 + atLeast(rule.seconds, 0)
}

/** The last matching second of the day at or before `second` (0-86399), or -1. */
export function timeAtMost(rule: TimeRule, second: number): number {
  const hour = Math.floor(second / 3600)
  const minute = Math.floor(second / 60) - hour * 60
  if (includes(rule.hours, hour)) {
    if (includes(rule.minutes, minute)) {
      const found = atMost(rule.seconds, second % 60)
      if (found >= 0) return second - (second % 60) + found
    }
    const earlier = atMost(rule.minutes, minute - 1)
    if (earlier >= 0) return hour * 3600 + earlier * 60 + atMost(rule.seconds, 59)
  }
  const earlier = atMost(rule.hours, hour - 1)
  return earlier < 0 ? -1 : earlier * 3600 + atMost(rule.minutes, 59) * 60 + atMost(rule.seconds, 59)
}
