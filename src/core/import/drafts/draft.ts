/** What an import makes of a source: checks as a file of configuration has them, and what was left out. */
import { slugify } from '../../checks/slugify.js'
import { CHECK_SECTION, checkProblem } from '../../config/check-section.js'
import { defaultsOf, isSame } from '../../config/config-field.js'
import type { Json } from '../../config/project-config.js'
import { scheduleProblem } from '../../schedule/schedule-problem.js'

export interface ImportNote {
  /** What it is about, such as the key of a check. */
  subject: string
  /** A sentence, or several. */
  text: string
}

/** The values of a check by the names that files use. */
export type CheckValues = { readonly [name: string]: Json | undefined }

export class Draft {
  readonly checks = new Map<string, { [name: string]: Json }>()
  readonly notes: ImportNote[] = []
  /** Old ping addresses by the keys of their checks, where they are known. */
  readonly addresses = new Map<string, string>()

  readonly note = (subject: string, text: string): void => {
    this.notes.push({ subject, text })
  }

  /**
   * Adds a check and returns its key, which is made of `name` and not taken. Values that no check can have are left out,
   * as are those that are the default, and the former are noted.
   */
  addCheck(name: string, given: CheckValues): string {
    const key = this.unusedKey(name)
    const defaults = defaultsOf(CHECK_SECTION, key)
    const values = new Map<string, Json>()
    for (const [field, value] of Object.entries(given)) {
      if (value === undefined || value === null) continue
      const read = CHECK_SECTION.get(field)!.read(value)
      if ('problem' in read) this.note(key, `${field} ${JSON.stringify(value)} was left out: ${read.problem}`)
      else if (!isSame(read.value, defaults.get(field))) values.set(field, read.value)
    }
    // What cannot be together is found one problem at a time.
    for (;;) {
      const wrong = checkProblem(key, new Map([...defaults, ...values]))
      const field = wrong?.at[2]
      if (!wrong || field === undefined || !values.has(field)) break
      this.note(key, `${field} ${JSON.stringify(values.get(field))} was left out: ${wrong.problem}`)
      values.delete(field)
    }
    this.checks.set(key, Object.fromEntries(values))
    return key
  }

  /** The file of configuration. */
  document(): { readonly [name: string]: Json } {
    return { checks: Object.fromEntries(this.checks) }
  }

  private unusedKey(name: string): string {
    const stem = (slugify(name.replace(/[.:/]/g, '-')) || 'check').slice(0, 95)
    let key = stem
    for (let count = 2; this.checks.has(key); count += 1) key = `${stem}-${count}`
    return key
  }
}

/** The field of a schedule in either notation, or a sentence that says why it is neither. */
export function scheduleField(text: string): { cron: string } | { oncalendar: string } | string {
  const trimmed = text.trim()
  const problem = scheduleProblem('cron', trimmed)
  if (problem === null) return { cron: trimmed }
  return scheduleProblem('oncalendar', trimmed) === null ? { oncalendar: trimmed } : problem
}

/** A text of a source, or an empty one. */
export function textIn(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
