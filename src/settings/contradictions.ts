import type { ReadSettings } from '../lib/settings.js'
import type { SettingsTable } from './index.js'

/** A sentence for each contradiction between settings. `operator` has the values of the integrations' settings. */
export function findContradictions(
  { values, report }: ReadSettings<SettingsTable>,
  operator: Readonly<Record<string, unknown>> = {},
): string[] {
  const isSet = (name: keyof SettingsTable) =>
    report.some(row => row.name === name && row.source !== 'default')
  const found: string[] = []
  if (values.EMAIL_USE_SSL && values.EMAIL_USE_TLS && isSet('EMAIL_USE_TLS')) {
    found.push('EMAIL_USE_SSL and EMAIL_USE_TLS exclude each other: set one of them to False')
  }
  if (values.REMOTE_USER_HEADER !== '' && values.TRUSTED_PROXIES.length === 0) {
    found.push(
      'TRUSTED_PROXIES must be set when REMOTE_USER_HEADER is: otherwise anybody could name themselves anybody',
    )
  }
  if (values.OPENID_ISSUER !== '' && values.OPENID_CLIENT_ID === '') {
    found.push('OPENID_CLIENT_ID must be set when OPENID_ISSUER is')
  }
  for (const name of ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const) {
    if (values.S3_BUCKET !== '' && values[name] === '') found.push(`${name} must be set when S3_BUCKET is`)
  }
  if (values.ADMIN_EMAIL !== '' && values.EMAIL_HOST === '') {
    found.push('EMAIL_HOST must be set when ADMIN_EMAIL is: otherwise no e-mail goes out')
  }
  if ((values.SMTPD_TLS_CERT === '') !== (values.SMTPD_TLS_KEY === '')) {
    found.push('SMTPD_TLS_CERT and SMTPD_TLS_KEY go together: set both or neither')
  }
  for (const [name, other] of [
    ['METRICS_PORT', 'PORT'],
    ['SMTPD_PORT', 'PORT'],
    ['SMTPD_PORT', 'METRICS_PORT'],
  ] as const) {
    if (values[name] && values[name] === values[other]) found.push(`${name} must differ from ${other}`)
  }
  if (values.DATABASE_URL !== '' && values.SECRET_KEY === '') {
    found.push('SECRET_KEY must be set when DATABASE_URL is')
  }
  if (values.SECRET_KEY !== '' && values.SECRET_KEY === values.SECRET_KEY_PREVIOUS) {
    found.push('SECRET_KEY_PREVIOUS must differ from SECRET_KEY: it is the key before')
  }
  if (operator.SHELL_ENABLED && values.REGISTRATION_OPEN) {
    found.push(
      'REGISTRATION_OPEN must be False when SHELL_ENABLED is True: otherwise anyone could sign up and run commands on this machine',
    )
  }
  return found
}
