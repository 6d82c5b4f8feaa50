/** The tables of accounts, and of how people sign in and belong to projects. */
import type { Generated } from 'kysely'
import type { MemberRole } from '../../core/people/role.js'
import type { Theme } from '../../core/people/theme.js'
import type { ReportFrequency } from '../../core/reports/report.js'

export interface PeopleTables {
  users: {
    id: Generated<number>
    uuid: string
    email: string
    password_hash: string | null
    timezone: Generated<string>
    theme: Generated<Theme>
    totp_secret: Generated<string | null>
    totp_step: Generated<number | null>
    reports: Generated<ReportFrequency>
    nag_s: Generated<number>
    next_report_at: Generated<number | null>
    next_nag_at: Generated<number | null>
    created_at: number
    /** When the person proved that they read this address's mail; null: not yet. */
    email_proven_at: Generated<number | null>
    /** Increases when credentials end, so that sign-ins under way with them end too. */
    credentials_version: Generated<number>
    disabled_at: Generated<number | null>
    /** The name that Healthchecks had for the person, which its links name; null: not imported. */
    imported_name: Generated<string | null>
    /** 1: it is being closed. */
    closing: Generated<0 | 1>
    /** 1: it was handed over, and its owner has not yet seen who else has access. */
    to_review: Generated<0 | 1>
  }
  sessions: {
    id: Generated<number>
    uuid: string
    digest: string
    user_id: number
    method: string
    ua: string
    address: string | null
    created_at: number
    seen_at: number
    proved_at: number
    expires_at: number
  }
  tokens: {
    digest: string
    purpose: string
    user_id: number | null
    email: string | null
    expires_at: number
    /** The digest of the cookie of the browser that requested it; null: it works in any browser. */
    browser: Generated<string | null>
    /** The invitation for which it proves an address. */
    invitation_id: Generated<number | null>
  }
  members: {
    project_id: number
    user_id: number
    role: MemberRole
    transfer_requested_at: Generated<number | null>
    /** The person who offered the member the project, and the version of their credentials then. */
    offered_by: Generated<number | null>
    offered_version: Generated<number | null>
    created_at: number
  }
  invitations: {
    id: Generated<number>
    uuid: string
    project_id: number
    digest: string
    role: MemberRole
    email: string | null
    created_at: number
    expires_at: number
    /** Null for invitations from before this was recorded. */
    inviter_id: Generated<number | null>
  }
  passkeys: {
    id: Generated<number>
    uuid: string
    user_id: number
    credential_id: string
    public_key: Uint8Array
    counter: number
    transports: string
    name: string
    created_at: number
    used_at: number | null
  }
  recovery_codes: { user_id: number; digest: string }
  identities: {
    issuer: string
    subject: string
    user_id: number
    /** The address at the provider when it was last used. */
    email: Generated<string | null>
    created_at: Generated<number | null>
    used_at: Generated<number | null>
  }
}
