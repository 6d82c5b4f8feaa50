/** Common schedules, offered while one is typed. */

interface Preset {
  label: string
  /** What the field of its kind then contains. */
  text: string
}

/** The presets by the field that they fill, which is named after the kind of schedule except for a period. */
export const SCHEDULE_PRESETS = {
  period: [
    { label: '5 min', text: '5 minutes' },
    { label: '15 min', text: '15 minutes' },
    { label: '1 hour', text: '1 hour' },
    { label: '1 day', text: '1 day' },
    { label: '1 week', text: '1 week' },
  ],
  cron: [
    { label: 'Every 5 min', text: '*/5 * * * *' },
    { label: 'Hourly', text: '0 * * * *' },
    { label: 'Daily at 03:00', text: '0 3 * * *' },
    { label: 'Weekdays at 09:00', text: '0 9 * * 1-5' },
    { label: 'Sundays at 04:00', text: '0 4 * * 0' },
    { label: 'First of the month', text: '0 3 1 * *' },
  ],
  oncalendar: [
    { label: 'Every 5 min', text: '*:0/5' },
    { label: 'Hourly', text: 'hourly' },
    { label: 'Daily at 03:00', text: '03:00' },
    { label: 'Weekdays at 09:00', text: 'Mon..Fri 09:00' },
    { label: 'Sundays at 04:00', text: 'Sun 04:00' },
    { label: 'First of the month', text: '*-*-01 03:00' },
  ],
} as const satisfies Record<string, readonly Preset[]>

/** A field of a schedule that has presets. */
export type PresetField = keyof typeof SCHEDULE_PRESETS

/** The field and the text of a preset from `field text`, as its button sends it; null if it is neither. */
export function readPreset(sent: string): { field: PresetField; text: string } | null {
  const space = sent.indexOf(' ')
  const field = sent.slice(0, space)
  return Object.hasOwn(SCHEDULE_PRESETS, field)
    ? { field: field as PresetField, text: sent.slice(space + 1) }
    : null
}
