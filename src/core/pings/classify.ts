/** Determines the action of a ping. Source: docs/behaviour.md, sections 1.6 and 6.3. */
import type { Settings } from '../checks/check-fields.js'
import { isSuccess } from '../checks/health/exit-codes.js'
import { keywordList, matches } from './keywords.js'
import type { Action } from './ping-event.js'

/** The parts of an HTTP ping that decide its action, besides its body. */
export interface HttpSignal {
  action: Exclude<Action, 'ign'>
  exitStatus: number | null
  method: string
}

/** The texts of an e-mail in which keywords are looked for. */
export interface MailSignal {
  /** Decoded; empty if there is none. */
  subject: string
  /** The text, and the text of the HTML. */
  body: string
}

/** The settings that decide the action of an e-mail; the keywords also apply to the body of an HTTP ping. */
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
 * The action of an HTTP ping. An exit status overrides the action in the URL; with `filter_http_body`, the body's
 * keywords override both; the rule about methods overrides isSuccessByDefault.
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

/** Whether an e-mail has to be read to determine its action. */
export function readsMail(rules: Pick<MailRules, 'filterSubject' | 'filterBody'>): boolean {
  return rules.filterSubject || rules.filterBody
}

/**
 * The action of an e-mail: a success, unless the check looks for keywords in it. While the deprecated `subject` and
 * `subject_fail` set the rules and `subject` is empty, an e-mail without a match is a success too. Source:
 * docs/behaviour.md, section 6.3.
 */
export function classifyMail(rules: MailRules, defaultFail: boolean, { subject, body }: MailSignal): Action {
  if (!readsMail(rules)) return 'success'
  const searched = [...(rules.filterSubject ? [subject] : []), ...(rules.filterBody ? [body] : [])].join('\n')
  const isSuccessByDefault = rules.subjectRules && keywordList(rules.successKw).length === 0
  if (isSuccessByDefault && !matches(rules.failureKw, searched) && !matches(rules.startKw, searched))
    return 'success'
  return classifyText(rules, defaultFail, searched)
}

/** The action of the keywords in a text: failure before success before start, else the default. */
function classifyText(keywords: Keywords, defaultFail: boolean, text: string): Action {
  if (matches(keywords.failureKw, text)) return 'fail'
  if (matches(keywords.successKw, text)) return 'success'
  if (matches(keywords.startKw, text)) return 'start'
  return defaultFail ? 'fail' : 'ign'
}
