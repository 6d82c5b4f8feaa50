/** The formats of text fields. */
import { canonicalZone, parseSchedule, ScheduleError } from '../schedule/index.js'
import type { TextType } from './check-field.js'
import { CAUSES, parseCauses } from './health/cause.js'
import { parseExitCodes } from './health/exit-codes.js'

interface TextFormat {
  matches(text: string): boolean
  /** The same as a regular expression, if there is one. */
  pattern?: RegExp
  /** The end of the API's error "NAME …". */
  mismatch: string
  /** The error in the form. */
  hint: string
  /** The text as it is stored. */
  stored?(text: string): string
}

/** The characters of a slug. Source: docs/behaviour.md, section 4.6. */
export const SLUG = /^[a-z0-9_-]*$/

export const TEXT_FORMATS: Record<NonNullable<TextType['format']>, TextFormat> = {
  slug: {
    matches: text => SLUG.test(text),
    pattern: SLUG,
    mismatch: 'does not match pattern',
    hint: 'Only small letters a to z, digits, hyphens and underscores, such as db-backup.',
  },
  schedule: {
    matches: isSchedule,
    mismatch: 'is not a valid cron or OnCalendar expression',
    hint: 'Enter a cron expression or OnCalendar lines.',
  },
  zone: {
    matches: text => canonicalZone(text) !== null,
    mismatch: 'is not a valid timezone',
    hint: 'Not a known time zone; choose one such as Europe/Riga or UTC.',
    stored: text => canonicalZone(text)!,
  },
  causes: {
    matches: text => parseCauses(text) !== null,
    mismatch: 'is not a list of causes',
    hint: `Causes separated by commas: ${CAUSES.join(', ')}.`,
    stored: text => parseCauses(text)!.join(','),
  },
  'exit-codes': {
    matches: text => parseExitCodes(text) !== null,
    mismatch: 'is not a list of exit statuses',
    hint: 'Exit statuses from 0 to 255 and ranges, separated by commas, such as 0,3,100-110.',
    stored: text => text.replaceAll(' ', ''),
  },
}

function isSchedule(text: string): boolean {
  try {
    parseSchedule(text)
    return true
  } catch (error) {
    if (error instanceof ScheduleError) return false
    throw error
  }
}
