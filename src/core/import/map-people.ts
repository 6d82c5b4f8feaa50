/** Maps people, projects and roles of Healthchecks to ours. Instants of the source are in microseconds, ours in milliseconds. */
import { addressOrNull } from '../people/email-address.js'
import type { MemberRole } from '../people/role.js'
import type { Theme } from '../people/theme.js'
import { NAG_SECONDS, NEW_WISHES, REPORTS, type ReportFrequency } from '../reports/report.js'
import { canonicalZone } from '../schedule/zones/canonical-zone.js'
import type { SourceRow } from './source-schema.js'

/** Reports what could not be carried over as it is: of what, and what happens instead. */
export type Note = (subject: string, text: string) => void

export interface ImportedPerson {
  email: string
  importedName: string | null
  /** As Django stored it; null if it cannot be verified. */
  passwordHash: string | null
  timezone: string
  theme: Theme
  /** Base32. */
  totpSecret: string | null
  reports: ReportFrequency
  nagSeconds: number
  nextReportAt: number | null
  nextNagAt: number | null
  createdAt: number
  active: boolean
  /** Whether somebody has proven the address: Healthchecks lets people in only by a link that it mails to them. */
  proven: boolean
}

/** A person, or null if they have no address. `canVerify`: whether a password's hash can be verified. */
export function mapPerson(
  user: SourceRow<'auth_user'>,
  profile: SourceRow<'accounts_profile'> | undefined,
  canVerify: (hash: string) => boolean,
  note: Note,
): ImportedPerson | null {
  const email = addressOrNull(user.email ?? '')
  const subject = `the account ${user.email || user.username}`
  if (email === null) {
    note(subject, 'not carried over: it has no valid e-mail address')
    return null
  }
  const given = givenPassword(user)
  const passwordHash = given !== null && canVerify(given) ? given : null
  if (given !== null && passwordHash === null) {
    note(
      subject,
      'its password is hashed in a way that cannot be verified: set a new one by a link in an e-mail',
    )
  }
  const timezone = canonicalZone(profile?.tz || 'UTC')
  if (timezone === null) note(subject, `the time zone ${profile?.tz} is not known: UTC instead`)
  const totp = profile?.totp || null
  const totpSecret = totp !== null && /^[A-Z2-7]{16,64}$/.test(totp) ? totp : null
  if (totp !== null && totpSecret === null)
    note(subject, 'the secret of its authenticator app is not valid: set it up again')
  const nagSeconds = Math.round((profile?.nag_period ?? 0) / 1e6)
  const reports = REPORTS.find(one => one === (profile?.reports ?? NEW_WISHES.reports)) ?? 'off'
  return {
    email,
    importedName: user.username || null,
    passwordHash,
    timezone: timezone ?? 'UTC',
    theme: profile?.theme === 'dark' ? 'dark' : profile?.theme === 'system' ? 'auto' : 'light',
    totpSecret,
    reports,
    nagSeconds: NAG_SECONDS.some(one => one === nagSeconds) ? nagSeconds : 0,
    nextReportAt: reports === 'off' ? null : milliseconds(profile?.next_report_date ?? null),
    nextNagAt: nagSeconds === 0 ? null : milliseconds(profile?.next_nag_date ?? null),
    createdAt: milliseconds(user.date_joined) ?? 0,
    active: user.is_active !== false,
    proven: hasSignedIn(user),
  }
}

/**
 * Whether the account was ever opened: Healthchecks makes one for each address that is invited or signs up. A password is
 * set once it was opened, or by the operator.
 */
export function hasSignedIn(user: SourceRow<'auth_user'>): boolean {
  return user.last_login !== null || givenPassword(user) !== null
}

/** Django marks an account without a password with an exclamation mark. */
function givenPassword({ password }: SourceRow<'auth_user'>): string | null {
  return password === '' || password?.startsWith('!') ? null : password
}

const ROLES: Readonly<Record<string, MemberRole>> = { m: 'manager', w: 'member', r: 'readonly' }

/** The role of a member, or null if it is unknown. */
export function mapRole(role: string | null): MemberRole | null {
  return ROLES[role ?? ''] ?? null
}

export interface ImportedKey {
  kind: 'rw' | 'ro'
  /** Stored as it is if Healthchecks had hashed the key, else to be digested as one of our own. */
  value: string
  hashed: boolean
  /** The first characters of the key. */
  hint: string
}

/** The API keys of a project. */
export function mapKeys(project: SourceRow<'accounts_project'>): ImportedKey[] {
  const given = [
    ['rw', project.api_key],
    ['ro', project.api_key_readonly],
  ] as const
  return given.flatMap(([kind, value]) => {
    if (!value) return []
    const hashed = /^[^.]{8}\.[0-9a-f]{64}$/.test(value)
    const hint = hashed ? `hc${kind === 'rw' ? 'w' : 'r'}_${value.slice(0, 4)}` : value.slice(0, 8)
    return [{ kind, value, hashed, hint }]
  })
}

/**
 * The passkey in `data`, or null if it is not one: 16 bytes that name the authenticator, the length of the ID in two,
 * the ID, and the public key. Source: W3C, Web Authentication 2, “Attested Credential Data”.
 */
export function mapPasskey(data: Uint8Array | null): { id: Uint8Array; publicKey: Uint8Array } | null {
  if (!data || data.length < 18) return null
  const end = 18 + data[16]! * 256 + data[17]!
  return end > 18 && end < data.length ? { id: data.slice(18, end), publicKey: data.slice(end) } : null
}

/** Milliseconds of an instant or duration in microseconds. */
export function milliseconds(microseconds: number | null): number | null {
  return microseconds === null ? null : Math.floor(microseconds / 1000)
}
