/** What a ping says. Source: docs/behaviour.md, sections 1.6 and 6.3. */
import type { Settings } from '../checks/check-fields.js'
import { isSuccess } from '../checks/health/exit-codes.js'
import { keywordList, matches } from './keywords.js'
import type { Action } from './ping-event.js'

/** What an HTTP ping brings: the action its URL names, its verb, and its body where keywords are looked for. */
export interface HttpSignal {
  action: Exclude<Action, 'ign'>
  exitStatus: number | null
  method: string
}

/** What keywords are looked for in, of a ping that came as an e-mail. */
export interface MailSignal {
  /** Decoded; empty where there is none. */
  subject: string
  /** The text, and the text of the HTML. */
  body: string
}

/** The settings that decide what an e-mail says; its keywords also what the body of an HTTP ping says. */
export const MAIL_RULES = [
  'startKw',
  'successKw',
  'failureKw',
  'filterSubject',
  'filterBody',
  'subjectRules',
] as const satisfies (keyof Settings)[]

export type MailRules = Pick<Settings, (typeof MAIL_RULES)[number]>

/** Keyword lists as typed: comma-separated, see `keywords.ts`. */
type Keywords = Pick<Settings, 'startKw' | 'successKw' | 'failureKw'>

type HttpRules = Pick<Settings, 'methods' | 'filterHttpBody' | 'filterDefaultFail' | 'successExitCodes'>

/**
 * The action of an HTTP ping: the URL's, an exit status over the URL's, the verb's rule over both, and the
 * body's keywords over the URL where `filter_http_body` is on.
 */
export function classifyHttp(
  rules: HttpRules,
  keywords: Keywords,
  signal: HttpSignal,
  bodyText: () => string,
): Action {
  if (rules.methods === 'POST' && signal.method !== 'POST') return 'ign'
  if (rules.filterHttpBody) return classifyText(keywords, rules.filterDefaultFail, bodyText())
  if (signal.exitStatus === null) return signal.action
  return isSuccess(rules.successExitCodes, signal.exitStatus) ? 'success' : 'fail'
}

/** Whether an e-mail has to be read to know what it says. */
export function readsMail(rules: Pick<MailRules, 'filterSubject' | 'filterBody'>): boolean {
  return rules.filterSubject || rules.filterBody
}

/**
 * The action of an e-mail: a success, unless keywords are looked for in it. While the deprecated `subject` and
 * `subject_fail` set the rules and `subject` is empty, what does not match is a success too. Source:
 * docs/behaviour.md, section 6.3.
 */
export function classifyMail(rules: MailRules, defaultFail: boolean, { subject, body }: MailSignal): Action {
  if (!readsMail(rules)) return 'success'
  const searched = [...(rules.filterSubject ? [subject] : []), ...(rules.filterBody ? [body] : [])].join('\n')
  const everything = rules.subjectRules && keywordList(rules.successKw).length === 0
  if (everything && !matches(rules.failureKw, searched) && !matches(rules.startKw, searched)) return 'success'
  return classifyText(rules, defaultFail, searched)
}

/** The action that a text's keywords name: failure before success before start, else the default. */
function classifyText(keywords: Keywords, defaultFail: boolean, text: string): Action {
  if (matches(keywords.failureKw, text)) return 'fail'
  if (matches(keywords.successKw, text)) return 'success'
  if (matches(keywords.startKw, text)) return 'start'
  return defaultFail ? 'fail' : 'ign'
}
