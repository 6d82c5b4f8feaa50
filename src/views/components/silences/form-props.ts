import type { SilenceTimes } from '../../../core/silences/silence.js'
import type { SilenceForm } from '../../../core/silences/silence-form.js'
import type { SilenceProblem } from '../../../core/silences/silence-problem.js'
import type { PageContext } from '../../page-context.js'
import { errorOf, type Problem } from '../forms/form-problem.js'

/** What the form of a silence shows. */
export interface SilenceFormProps {
  page: PageContext
  projectUuid: string
  /** The silence to edit; null for a new one. */
  silence: { id: number; label: string; hasBegun: boolean } | null
  /** The file of configuration that owns it. */
  managedBy: string | null
  form: SilenceForm
  problem: Problem | null
  /** The times as typed, or the problem with them. */
  times: SilenceTimes | SilenceProblem
  /** The checks and integrations that can be chosen. */
  checks: readonly { uuid: string; name: string }[]
  channels: readonly { uuid: string; name: string }[]
  zones: readonly string[]
  /** The tags that are suggested. */
  tags: readonly string[]
}

/** The name, the value and the error of a text in the form. */
export function inputOf({ form, problem }: Pick<SilenceFormProps, 'form' | 'problem'>) {
  return (name: 'from' | 'to' | 'schedule' | 'duration' | 'timezone' | 'tags' | 'reason') => ({
    name,
    value: form[name],
    error: errorOf(problem, name),
  })
}
