import type { Theme } from '../../../core/people/theme.js'
import type { ReportFrequency } from '../../../core/reports/report.js'
import { ApiTokens, type ShownToken } from '../../components/api-tokens.js'
import { EmailAddress } from '../../components/email-address.js'
import { Button, ButtonLink } from '../../components/forms/button.js'
import { Select } from '../../components/forms/field.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link } from '../../page-context.js'
import { ReportWishes } from './profile/report-wishes.js'
import { type Session, Sessions } from './profile/sessions.js'
import { type SignIn, SignInWays } from './profile/sign-in-ways.js'

export interface Profile extends SignIn {
  timezone: string
  theme: Theme
  zones: readonly string[]
  reports: ReportFrequency
  nagSeconds: number
  sessions: readonly Session[]
  tokens: readonly ShownToken[]
  /** A new token, which is shown once. */
  shownToken: string | null
  /** SITE_ROOT. */
  siteRoot: string
  problem: Problem | null
}

const THEME_NAMES: Record<Theme, string> = { auto: 'System', light: 'Light', dark: 'Dark' }

/** The user's own account. */
export function ProfilePage(profile: Profile) {
  const { page } = profile
  return (
    <Layout page={page} title="Account" section="account" measure="read">
      <PageHead title="Account" lead={<EmailAddress address={profile.email} />} />
      <Preferences {...profile} />
      <ReportWishes {...profile} />
      <SignInWays {...profile} />
      <Sessions page={page} sessions={profile.sessions} />
      <ApiTokens
        page={page}
        path="/accounts/tokens/"
        tokens={profile.tokens}
        shown={profile.shownToken}
        siteRoot={profile.siteRoot}
        lead="Programs use a token to read and change all your projects, as far as its scopes and your role there allow."
      />
      <section class="section">
        <h2>Close account</h2>
        <p class="muted">Projects that you own are deleted too.</p>
        <p class="after-table">
          <ButtonLink href={link(page, '/accounts/close/')}>Close account</ButtonLink>
        </p>
      </section>
    </Layout>
  )
}

function Preferences({ page, timezone, theme, zones, problem }: Profile) {
  return (
    <section>
      <PostForm page={page} action="/accounts/profile/" class="form">
        <FormProblem problem={problem} />
        <div class="form-row">
          <Select
            label="Time zone"
            name="timezone"
            value={timezone}
            options={zones.map(zone => ({ value: zone, label: zone }))}
            error={errorOf(problem, 'timezone')}
          />
          <Select
            label="Theme"
            name="theme"
            value={theme}
            options={Object.entries(THEME_NAMES).map(([value, label]) => ({ value, label }))}
            error={errorOf(problem, 'theme')}
          />
        </div>
        <div class="form-end">
          <Button>Save</Button>
        </div>
      </PostForm>
    </section>
  )
}
