/** The form of a silence: texts as they are typed, and the silence that they ask for. */
import { tagList } from '../checks/check.js'
import { parseSchedule } from '../schedule/index.js'
import { scheduleProblem } from '../schedule/schedule-problem.js'
import { oneLine } from '../text/clean-text.js'
import { periodWords } from '../time/duration.js'
import { localText, parseLocal } from '../time/local-instant.js'
import { parseDuration } from '../time/parse-duration.js'
import type { AskedSilence, AskedTimes } from './asked-silence.js'
import type { ShownSilence } from './shown-silence.js'
import type { SilenceTimes } from './silence.js'
import { type SilenceProblem, timesProblem } from './silence-problem.js'

export interface SilenceForm {
  scope: 'project' | 'tags' | 'checks'
  tags: string
  /** UUIDs. */
  checks: readonly string[]
  mode: 'hold' | 'expect_nothing'
  held: 'all' | 'some'
  /** UUIDs. */
  channels: readonly string[]
  when: 'once' | 'recurring'
  /** By the reader's clock; empty: now. */
  from: string
  to: string
  schedule: string
  duration: string
  timezone: string
  reason: string
}

/** The form for a new silence of a project, or of one check. */
export function newSilenceForm(timezone: string, now: number, checkUuid: string | null): SilenceForm {
  return {
    scope: checkUuid === null ? 'project' : 'checks',
    tags: '',
    checks: checkUuid === null ? [] : [checkUuid],
    mode: 'hold',
    held: 'all',
    channels: [],
    when: 'once',
    from: '',
    to: localText(Math.ceil(now / 60_000) * 60_000 + 2 * 3_600_000, timezone),
    schedule: '',
    duration: '',
    timezone,
    reason: '',
  }
}

/** The form with the values of a silence, for a reader whose clock shows the time of `zone`. */
export function formOfSilence(silence: ShownSilence, zone: string): SilenceForm {
  const { scope, times, namedChecks, namedChannels, mode, reason } = silence
  const empty = newSilenceForm(zone, times.from, null)
  return {
    ...empty,
    mode,
    reason,
    scope: 'checks' in scope ? 'checks' : 'tags' in scope ? 'tags' : 'project',
    tags: 'tags' in scope ? scope.tags.join(' ') : '',
    checks: namedChecks?.map(({ uuid }) => uuid) ?? [],
    held: namedChannels === null ? 'all' : 'some',
    channels: namedChannels?.map(({ uuid }) => uuid) ?? [],
    from: localText(times.from, zone),
    ...(times.kind === 'once'
      ? { when: 'once' as const, to: localText(times.to, zone) }
      : {
          when: 'recurring' as const,
          schedule: times.schedule,
          duration: periodWords(times.durationSeconds),
          timezone: times.tz,
        }),
  }
}

/** A sent form. `read`: the values of a field. */
export function sentSilenceForm(read: (name: string) => readonly string[]): SilenceForm {
  const text = (name: string) => read(name).at(-1) ?? ''
  const one = <T extends string>(name: string, words: readonly [T, ...T[]]) =>
    words.find(word => word === text(name)) ?? words[0]
  return {
    scope: one('scope', ['project', 'tags', 'checks']),
    tags: text('tags'),
    checks: read('check'),
    mode: one('mode', ['hold', 'expect_nothing']),
    held: one('held', ['all', 'some']),
    channels: read('channel'),
    when: one('when', ['once', 'recurring']),
    from: text('from'),
    to: text('to'),
    schedule: text('schedule').trim(),
    duration: text('duration'),
    timezone: text('timezone').trim(),
    reason: text('reason'),
  }
}

/** The silence that a form asks for, or what is wrong with it. `zone`: the reader's. */
export function readSilenceForm(form: SilenceForm, zone: string): AskedSilence | SilenceProblem {
  const times = readTimes(form, zone)
  if ('problem' in times) return times
  return {
    mode: form.mode,
    scope:
      form.scope === 'checks'
        ? { checks: [...form.checks] }
        : form.scope === 'tags'
          ? { tags: tagList(form.tags) }
          : { project: true },
    channels: form.held === 'all' ? null : [...form.channels],
    times,
    reason: oneLine(form.reason),
  }
}

/** The times of a form as a preview shows them at `now`, or what is wrong with them. */
export function previewTimes(form: SilenceForm, zone: string, now: number): SilenceTimes | SilenceProblem {
  const asked = readTimes(form, zone)
  if ('problem' in asked) return asked
  const times = { ...asked, from: Math.max(asked.from ?? now, now) } as SilenceTimes
  return timesProblem(times, now) ?? times
}

function readTimes(form: SilenceForm, zone: string): AskedTimes | SilenceProblem {
  const from = form.from.trim() === '' ? null : parseLocal(form.from, zone)
  if (from === null && form.from.trim() !== '')
    return { field: 'from', problem: 'This is not a date and a time.' }
  if (form.when === 'once') {
    const to = parseLocal(form.to, zone)
    return to === null ? { field: 'to', problem: 'Enter when it ends.' } : { kind: 'once', from, to }
  }
  const kind = kindOf(form.schedule)
  const wrong = scheduleProblem(kind, form.schedule)
  if (wrong !== null) return { field: 'schedule', problem: wrong }
  const durationSeconds = parseDuration(form.duration)
  if (durationSeconds === null) {
    return { field: 'duration', problem: 'Enter how long each window lasts, such as 2 hours.' }
  }
  return { kind, schedule: form.schedule, tz: form.timezone, durationSeconds, from }
}

function kindOf(schedule: string): 'cron' | 'oncalendar' {
  try {
    return parseSchedule(schedule).kind
  } catch {
    return /[.:]/.test(schedule) ? 'oncalendar' : 'cron'
  }
}
