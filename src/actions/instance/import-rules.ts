/** What an import needs to know from other layers. */
import type { Site } from '../../core/alerts/alert.js'
import { Refusal } from '../../core/errors.js'
import { importedNotice } from '../../core/people/security-notices.js'
import { checkSettings } from '../../integrations/fields.js'
import { integrationOf } from '../../integrations/index.js'
import { splitMembers } from '../../integrations/members.js'
import { missingToSend } from '../../integrations/missing-settings.js'
import type { Operator } from '../../integrations/setup.js'
import { isDjangoHash } from '../../lib/secrets/django-password.js'
import { unsignDjango } from '../../lib/secrets/django-signing.js'
import { type SecretKeys, secretKeysOf } from '../../lib/secrets/secret-key.js'
import { digestOf } from '../../lib/secrets/secrets.js'
import { sealTotpSecret } from '../../lib/secrets/totp-secret.js'
import type { CompleteSettings, ImportRules } from '../../storage/import/context.js'
import type { ImportReport } from '../../storage/import/report.js'
import { linkContents } from '../people/mail/send-link.js'

/** The rules for an installation with this key and these settings of its operator. */
export function importRules(secretKey: string, operator: Operator, site: Site, now: number): ImportRules {
  return {
    completeSettings,
    missingToSend(kind) {
      const integration = integrationOf(kind)
      return integration ? missingToSend(integration, operator) : []
    },
    canVerify: isDjangoHash,
    digestOf,
    handedOverMail: handedOverMail(site),
    sealTotp: (userId, secret) => sealTotpSecret(secretKey, userId, secret),
    now,
  }
}

/** It waits until the server sends e-mail. */
function handedOverMail(site: Site): ImportRules['handedOverMail'] {
  const words = importedNotice(site)
  const contents = linkContents(site, { ...words, url: `${site.root}/accounts/profile/` })
  return { kind: 'notice', subject: words.subject, ...contents, unsubscribeUrl: '' }
}

/**
 * Completes settings with defaults. What our forms would refuse is kept, because it may have worked for years, unless a
 * required field is missing.
 */
const completeSettings: CompleteSettings = (kind, given) => {
  const integration = integrationOf(kind)
  if (!integration) return { problem: `there is no kind ${kind}` }
  const missing = integration.fields.find(({ name, required }) => required && !given[name])
  if (missing) return { problem: `it has no ${missing.label.toLowerCase()}` }
  let problem: string | null = null
  let complete: Record<string, string>
  try {
    complete = checkSettings(integration, given)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problem = error.message
    const defaults = integration.fields.map(({ name, default: byDefault = '' }) => [name, byDefault])
    complete = { ...Object.fromEntries(defaults), ...given }
  }
  const hearsDown = integration.wants?.(complete, 'down') ?? true
  return { ...splitMembers(integration, complete), problem, hearsDown }
}

/** With which Django signs sessions. Source: Django, contrib/sessions/backends/base.py, `key_salt`. */
const SESSION_SALT = 'django.contrib.sessions.SessionStore'

/**
 * Reports what to set so that old badges, API keys and links stay valid. `given`: the key that is said to be that of
 * Healthchecks, or null; `sessions`: sessions of its database, whose signatures prove the key.
 */
export function noteSecretKey(
  report: ImportReport,
  config: { SECRET_KEY: string; SECRET_KEY_PREVIOUS: string },
  given: string | null,
  sessions: readonly string[],
): void {
  const keys = secretKeysOf(config)
  const signs = (secretKeys: SecretKeys) =>
    sessions.some(session => unsignDjango(secretKeys, SESSION_SALT, session) !== null)
  const note = (text: string) => report.note('SECRET_KEY', text)
  if (signs(keys)) return
  const lost = 'or its API keys, badges and unsubscribe links stop working'
  if (given !== null && sessions.length > 0 && !signs([given])) {
    note(
      `the given one did not sign the sessions of Healthchecks, so it is probably not its own: find the right one, ${lost}`,
    )
  } else if (given !== null && !keys.includes(given)) {
    note(`this server does not have the one of Healthchecks: set SECRET_KEY_PREVIOUS to it, ${lost}`)
  } else if (sessions.length > 0) {
    note(
      `no key of this server signed the sessions of Healthchecks: set SECRET_KEY_PREVIOUS to its key, ${lost}`,
    )
  } else if (given === null) {
    note('give the one of Healthchecks as --secret-key to check that this server has it')
  } else {
    note(
      'this server has the given one, but nothing in the database proves that it is that of Healthchecks: try a badge or an API key',
    )
  }
}
