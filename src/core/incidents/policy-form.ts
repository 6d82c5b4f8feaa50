/** The form of a policy: texts as they are typed, and the policy that they ask for. */
import { oneLine } from '../text/clean-text.js'
import { periodWords } from '../time/duration.js'
import { parseDuration } from '../time/parse-duration.js'
import { POLICY_LIMITS, type Policy, type PolicyRules, policyProblems } from './policy.js'

export interface PolicyStepForm {
  /** `At once`, or a length of time. */
  after: string
  who: 'check' | 'named'
  /** UUIDs. */
  channels: readonly string[]
}

export interface PolicyForm {
  name: string
  isDefault: boolean
  steps: readonly PolicyStepForm[]
  repeats: boolean
  every: string
  times: string
}

/** What is wrong, by the name of the field: `name`, `after-0`, `channel-0`, `every`, `times`; `steps` is all of them. */
export type PolicyErrors = Readonly<Record<string, string>>

const AT_ONCE = 'At once'

/** The form for a new policy. */
export const NEW_POLICY_FORM: PolicyForm = {
  name: '',
  isDefault: false,
  steps: [{ after: AT_ONCE, who: 'check', channels: [] }],
  repeats: false,
  every: '1 hour',
  times: '5',
}

/** The form with the values of a policy. */
export function formOfPolicy({
  name,
  isDefault,
  steps,
  repeat,
}: Policy & { isDefault: boolean }): PolicyForm {
  return {
    ...NEW_POLICY_FORM,
    name,
    isDefault,
    steps: steps.map(({ after, channels }) => ({
      after: after === 0 ? AT_ONCE : periodWords(after),
      who: channels === 'check' ? 'check' : 'named',
      channels: channels === 'check' ? [] : channels,
    })),
    ...(repeat && { repeats: true, every: periodWords(repeat.every), times: String(repeat.times) }),
  }
}

/** A sent form. `read`: the values of a field. */
export function sentPolicyForm(read: (name: string) => readonly string[]): PolicyForm {
  const text = (name: string) => read(name).at(-1) ?? ''
  const steps: PolicyStepForm[] = []
  while (steps.length < POLICY_LIMITS.steps && read(`after-${steps.length}`).length > 0) {
    const n = steps.length
    steps.push({
      after: text(`after-${n}`),
      who: text(`who-${n}`) === 'named' ? 'named' : 'check',
      channels: read(`channel-${n}`),
    })
  }
  return {
    name: text('name'),
    isDefault: text('default') !== '',
    steps,
    repeats: text('repeats') !== '',
    every: text('every'),
    times: text('times'),
  }
}

/** The form with another step at its end, for channels that are to be chosen. */
export function withStep(form: PolicyForm): PolicyForm {
  if (form.steps.length >= POLICY_LIMITS.steps) return form
  return { ...form, steps: [...form.steps, { after: '', who: 'named', channels: [] }] }
}

/** The form without one of its steps; the last one stays. */
export function withoutStep(form: PolicyForm, index: number): PolicyForm {
  if (form.steps.length <= 1) return form
  return { ...form, steps: form.steps.filter((_, n) => n !== index) }
}

/** The policy that a form asks for, or everything that is wrong with it. */
export function readPolicyForm(
  form: PolicyForm,
): { asked: Omit<Policy, 'id'> & { isDefault: boolean } } | { errors: PolicyErrors } {
  const name = oneLine(form.name)
  const { nameLength } = POLICY_LIMITS
  const nameError = name === '' ? 'Enter a name.' : `At most ${nameLength} characters.`
  const errors: PolicyErrors = name === '' || [...name].length > nameLength ? { name: nameError } : {}
  const rules = readPolicyRules(form)
  if ('errors' in rules) return { errors: { ...errors, ...rules.errors } }
  if (errors.name !== undefined) return { errors }
  return { asked: { name, isDefault: form.isDefault, ...rules } }
}

/** The steps and repeats of a form, or what is wrong with them. */
export function readPolicyRules(form: PolicyForm): PolicyRules | { errors: PolicyErrors } {
  const rules: PolicyRules = {
    steps: form.steps.map(({ after, who, channels }) => ({
      after: readAfter(after),
      channels: who === 'check' ? 'check' : [...channels],
    })),
    repeat: form.repeats
      ? { every: parseDuration(form.every) ?? Number.NaN, times: readCount(form.times) }
      : null,
  }
  const problems = policyProblems(rules)
  if (problems.length === 0) return rules
  return {
    errors: Object.fromEntries(
      problems.map(({ at, problem }) => [fieldAt(at), unreadWords(at, rules) ?? problem]),
    ),
  }
}

function readAfter(text: string): number {
  if (/^\s*(at once|now)\s*$/i.test(text)) return 0
  return parseDuration(text) ?? Number.NaN
}

function readCount(text: string): number {
  return /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : Number.NaN
}

/** The field of a place: `after-0` of `steps/0/after`, `channel-0` of `steps/0/channels`, `every` of `repeat/every`. */
function fieldAt(at: string): string {
  const [list, place, field] = at.split('/')
  if (list !== 'steps') return place ?? at
  if (field === undefined) return 'steps'
  return `${field === 'channels' ? 'channel' : field}-${place}`
}

/** What is wrong with a length of time that cannot be read. */
function unreadWords(at: string, { steps, repeat }: PolicyRules): string | null {
  const [list, place, field] = at.split('/')
  if (list === 'steps' && field === 'after' && Number.isNaN(steps[Number(place)]!.after)) {
    return 'Enter “at once”, or a length of time such as 15 min.'
  }
  if (at === 'repeat/every' && Number.isNaN(repeat!.every)) return 'Enter a length of time, such as 1 hour.'
  return null
}
