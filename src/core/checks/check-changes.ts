/** Changes of a check's settings by people and programs, and their result. */
import { parseSchedule } from '../schedule/index.js'
import type { CheckKind } from './check.js'
import type { Settings } from './check-fields.js'

/** Valid values: the schedule parses, the zone is canonical, lengths and bounds hold. */
export type CheckChanges = Partial<Omit<Settings, 'kind' | 'subjectRules'>> & {
  /** The deprecated names of the e-mail keywords: `subject` for success, `subjectFail` for failure. */
  subject?: string
  subjectFail?: string
}

/**
 * The settings after `changes`. A schedule wins over a period, which is then ignored; either alone decides the kind;
 * a zone alone does not. Source: docs/behaviour.md, sections 4.5 and 4.6.
 */
export function applyChanges(before: Settings, changes: CheckChanges): Settings {
  const { subject, subjectFail, periodSeconds, ...rest } = changes
  const after = withSubjects(before, subject, subjectFail)
  const kind = kindAfter(changes)
  if (kind) after.kind = kind
  if (periodSeconds !== undefined && kind === 'simple') after.periodSeconds = periodSeconds
  Object.assign(after, rest)
  const asksKeywords =
    changes.successKw !== undefined || changes.failureKw !== undefined || changes.filterSubject !== undefined
  if (asksKeywords) after.subjectRules = false
  return after
}

function kindAfter(changes: CheckChanges): CheckKind | null {
  if (changes.schedule) return parseSchedule(changes.schedule).kind
  return changes.periodSeconds === undefined ? null : 'simple'
}

/** The deprecated fields are applied first, so that their successors in the same request win. */
function withSubjects(before: Settings, subject?: string, subjectFail?: string): Settings {
  const after = { ...before }
  if (subject === undefined && subjectFail === undefined) return after
  if (subject !== undefined) after.successKw = subject
  if (subjectFail !== undefined) after.failureKw = subjectFail
  after.filterSubject = after.successKw !== '' || after.failureKw !== ''
  after.subjectRules = true
  return after
}
