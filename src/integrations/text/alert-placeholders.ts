import { type Alert, bodyText } from '../../core/alerts/alert.js'
import { tagList } from '../../core/checks/check.js'
import { toJson } from '../../core/wire/json.js'
import { isoSeconds } from '../../core/wire/timestamp.js'
import { endWithinBytes, TRUNCATED } from './placeholders.js'

/** A placeholder that users can write in a template. */
export interface AlertPlaceholder {
  /** Without its `$`. */
  name: string
  /** The description for users, as the end of a sentence. */
  means: string
  value(alert: Alert): string
  /** The value to use where the request has only `room` bytes left and the value, of `size` bytes, does not fit. */
  cut?(alert: Alert, room: number, size: number): string
  /** Whether the value may contain characters that an address cannot. */
  free?: boolean
  /** Whether it is allowed only in bodies, because the value may be long. */
  bodyOnly?: boolean
}

/** In the order in which they are tried: the first match wins. Source: docs/behaviour.md, section 8.5. */
export const ALERT_PLACEHOLDERS: readonly AlertPlaceholder[] = [
  { name: 'CODE', means: 'the check’s UUID', value: ({ check }) => check.uuid },
  { name: 'STATUS', means: '`down` or `up`', value: ({ status }) => status },
  {
    name: 'NOW',
    means: 'when the status changed, such as `2026-01-01T08:30:00+00:00`',
    value: ({ flip }) => isoSeconds(flip.createdAt),
    free: true,
  },
  {
    name: 'NAME_JSON',
    means: 'the check’s name as a JSON string, with its quotes',
    value: ({ check }) => toJson(check.name),
    cut: () => toJson(TRUNCATED),
    free: true,
  },
  { name: 'NAME', means: 'the check’s name', value: ({ check }) => check.name, free: true },
  { name: 'SLUG', means: 'the check’s slug', value: ({ check }) => check.slug },
  {
    name: 'TAGS',
    means: 'the check’s tags, separated by spaces',
    value: ({ check }) => check.tags,
    free: true,
  },
  {
    name: 'JSON',
    means: 'the check as the management API shows it, as JSON',
    value: ({ checkJson }) => checkJson,
    cut: () => toJson({ truncated: true }),
    free: true,
  },
  {
    name: 'BODY_JSON',
    means: 'the body of the last ping as a JSON string, with its quotes; in the body only',
    value: ({ lastPing }) => toJson(bodyText(lastPing)),
    cut: ({ lastPing }, room, size) => endWithinBytes(bodyText(lastPing), { room, size, render: toJson }),
    bodyOnly: true,
  },
  {
    name: 'BODY',
    means: 'the body of the last ping, at most a megabyte of it; in the body only',
    value: ({ lastPing }) => bodyText(lastPing),
    cut: ({ lastPing }, room, size) =>
      endWithinBytes(bodyText(lastPing), { room, size, render: text => text }),
    bodyOnly: true,
  },
  {
    name: 'EXITSTATUS',
    means: 'the exit status that the last ping reported, or `-1`',
    value: ({ lastPing }) => String(lastPing?.exitStatus ?? -1),
  },
  {
    name: 'FINDING',
    means: 'what about the check’s settings may be why it went down, as a sentence, or nothing',
    value: ({ finding }) => finding ?? '',
    free: true,
  },
]

/** A placeholder for each tag of the alert's check, tried after the others. */
export function tagPlaceholders({ check }: Alert): AlertPlaceholder[] {
  return tagList(check.tags).map((tag, index) => ({
    name: `TAG${index + 1}`,
    means: 'a tag',
    value: () => tag,
    free: true,
  }))
}

/** A placeholder and its description, for users. */
export interface PlaceholderHelp {
  name: string
  means: string
}

/** The descriptions of `placeholders`, and one for the tags. */
export function placeholderHelp(placeholders: readonly AlertPlaceholder[]): PlaceholderHelp[] {
  return [
    ...placeholders.map(({ name, means }) => ({ name: `$${name}`, means })),
    { name: '$TAG1', means: 'the first tag; `$TAG2` is the second, and so on' },
  ]
}
