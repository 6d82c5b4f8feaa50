import type { z } from 'zod'
import { Refusal } from '../../../core/errors.js'
import type { AskedSilence, AskedTimes } from '../../../core/silences/asked-silence.js'
import type { SilenceField } from '../../../core/silences/silence-problem.js'
import { oneLine } from '../../../core/text/clean-text.js'
import { FieldRefusal } from '../problem.js'
import { parseBody } from '../request.js'
import { newSilence, silenceChanges, snooze } from './schemas.js'

type Sent = z.infer<ReturnType<typeof silenceChanges>>

/** The silence that a body asks for. Throws a `FieldRefusal`. */
export function parseNewSilence(body: unknown): AskedSilence {
  return asked(parseBody(newSilence(), body)) as AskedSilence
}

/** The changes of a silence that a body asks for. Throws a `FieldRefusal`. */
export function parseSilenceChanges(body: unknown): Partial<AskedSilence> {
  return asked(parseBody(silenceChanges(), body))
}

/** How long (s) a check is to be snoozed. Throws a `FieldRefusal`. */
export function parseSnooze(body: unknown): number {
  return parseBody(snooze(), body).seconds
}

function asked({ when, reason, ...rest }: Sent): Partial<AskedSilence> {
  return {
    ...(rest as Partial<AskedSilence>),
    ...(when && { times: timesOf(when) }),
    ...(reason !== undefined && { reason: oneLine(reason) }),
  }
}

function timesOf(when: NonNullable<Sent['when']>): AskedTimes {
  const from = when.from ?? null
  if ('to' in when) return { kind: 'once', from, to: when.to }
  const { duration: durationSeconds, timezone: tz } = when
  return 'cron' in when
    ? { kind: 'cron', schedule: when.cron, tz, durationSeconds, from }
    : { kind: 'oncalendar', schedule: when.oncalendar, tz, durationSeconds, from }
}

/** Runs a write, and names the field of the body that the store refused. `times`: those that were sent. */
export async function refusingFields<T>(
  times: { kind: string } | undefined,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid' || error.field === undefined) throw error
    const pointer = pointerTo(error.field as SilenceField, times?.kind ?? 'schedule')
    throw new FieldRefusal([{ detail: error.message, pointer }])
  }
}

function pointerTo(field: SilenceField, kind: string): string {
  switch (field) {
    case 'checks':
    case 'tags':
      return `/scope/${field}`
    case 'channels':
    case 'reason':
      return `/${field}`
    case 'schedule':
      return `/when/${kind}`
    default:
      return `/when/${field}`
  }
}
