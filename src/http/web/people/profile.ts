import { setPreferences } from '../../../actions/people/set-preferences.js'
import { setReportWishes } from '../../../actions/reports/set-report-wishes.js'
import { zoneNames } from '../../../core/schedule/index.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { ProfilePage } from '../../../views/pages/people/profile.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { takeShownOnce } from '../show-once.js'
import { tryForm } from '../try-form.js'
import { requireUser } from './session.js'
import { passkeyObstacle } from './sign-in/relying-party.js'

const PROFILE = '/accounts/profile/'

/** GET: the user's own account. */
export async function showProfile(c: WebContext): Promise<Response> {
  return await c.html(await profilePage(c, null))
}

/** GET: the address that e-mails of Healthchecks, from before an import, give for the settings of reports. */
export async function redirectToReports(c: WebContext): Promise<Response> {
  return seeOther(c, `${PROFILE}#reports`)
}

/** POST: changes the time zone and the theme. */
export async function submitPreferences(c: WebContext): Promise<Response> {
  const { user } = requireUser(c)
  const form = await formOf(c)
  return await tryForm(
    c,
    async () => {
      const given = { timezone: form.text('timezone'), theme: form.text('theme') }
      await setPreferences(c.var.deps.store, user.id, given)
      setFlash(c, 'good', 'Saved.')
      return seeOther(c, PROFILE)
    },
    problem => profilePage(c, problem),
  )
}

/** POST: changes what is sent by e-mail besides alerts. */
export async function submitReportWishes(c: WebContext): Promise<Response> {
  const { user } = requireUser(c)
  const form = await formOf(c)
  return await tryForm(
    c,
    async () => {
      const given = { reports: form.text('reports'), nags: form.text('nags') }
      await setReportWishes(c.var.deps.store, user.uuid, given)
      setFlash(c, 'good', 'Saved.')
      return seeOther(c, PROFILE)
    },
    problem => profilePage(c, problem),
  )
}

async function profilePage(c: WebContext, problem: Problem | null) {
  const { user, sessionId } = requireUser(c)
  const { store, clock, mailer } = c.var.deps
  const [page, facts, wishes, passkeys, identities, sessions, tokens] = await Promise.all([
    pageContext(c),
    store.people.signInFacts({ id: user.id }),
    store.reports.wishes(user.id),
    store.people.listPasskeys(user.id),
    store.people.listIdentities(user.id),
    store.people.listSessions(user.id, clock.now()),
    store.projects.listApiTokens({ userId: user.id }),
  ])
  return ProfilePage({
    page,
    email: user.email,
    emailProven: user.emailProven,
    timezone: user.timezone,
    theme: user.theme,
    zones: zoneNames(),
    ...wishes,
    sendsMail: mailer !== null,
    hasPassword: facts?.passwordHash != null,
    hasApp: facts?.totpSecret != null,
    passkeys,
    identities,
    providerName: c.var.deps.config.OPENID_NAME,
    recoveryCodes: facts?.recoveryCodes ?? 0,
    passkeyObstacle: passkeyObstacle(c.var.deps.config),
    sessions: sessions.map(session => ({ ...session, current: session.uuid === sessionId })),
    tokens,
    siteRoot: c.var.deps.config.SITE_ROOT,
    shownToken: takeShownOnce(c, PROFILE)?.text ?? null,
    problem,
  })
}
