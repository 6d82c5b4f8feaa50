/** Every setting, in one table, and the only place that reads the environment. */
import {
  addressPrefix,
  bucketName,
  choice,
  domain,
  endpoint,
  envelope,
  flag,
  folder,
  headerName,
  host,
  issuerAddress,
  networks,
  optional,
  optionalDomain,
  orNone,
  pem,
  postgresAddress,
  sender,
  signingKey,
  siteAddress,
  text,
  whole,
} from './lib/setting-types.js'
import {
  ConfigError,
  type Environment,
  grouped,
  type ReadSettings,
  readSettings,
  type Setting,
  type SettingReport,
  type Values,
} from './lib/settings.js'

const MAX = 1_000_000_000

const SETTINGS = {
  ...grouped('Server', {
    HOST: {
      type: host,
      default: '0.0.0.0',
      help: 'The address to listen on. By default every IPv4 address, because jobs ping from other machines and a container’s port is reached from outside; `127.0.0.1` behind a reverse proxy on the same machine, `::` for IPv6 as well.',
    },
    PORT: {
      type: whole(0, 65_535),
      default: '8000',
      help: 'The port to listen on; 0 takes any free one.',
    },
    DATA_DIR: {
      type: folder,
      default: './data',
      help: 'The folder of the SQLite database `punctual.db` and of the `secret_key` that Punctual makes.',
    },
    DATABASE_URL: {
      type: postgresAddress,
      default: '',
      secret: true,
      help: 'Empty: SQLite in `DATA_DIR`. `postgres://user:password@host/database`: PostgreSQL 15 or newer, which several processes can share.',
    },
    SITE_ROOT: {
      type: siteAddress,
      default: 'http://localhost:{PORT}',
      help: 'The address under which people and jobs reach this installation. With a path (`https://example.org/monitor`) everything lives under that path.',
    },
    SITE_NAME: {
      type: text,
      default: 'Punctual',
      help: 'What this installation is called in pages and messages.',
    },
    SECRET_KEY: {
      type: signingKey,
      default: '',
      secret: true,
      help: 'Signs links and badges. If it is empty, `punctual serve` makes one and keeps it in `DATA_DIR/secret_key`; with `DATABASE_URL` it must be set, since two hosts would make two.',
    },
    TRUSTED_PROXIES: {
      type: networks,
      default: '',
      help: 'The reverse proxies whose `X-Forwarded-For` counts where it guards something, such as sign-in limits. Addresses and networks, separated by commas. The address recorded with a ping is always the forwarded one.',
    },
  }),
  ...grouped('Pings', {
    PING_ENDPOINT: {
      type: addressPrefix,
      default: '{SITE_ROOT}/ping/',
      help: 'What shown ping URLs begin with. It changes only what is shown: pings are always taken under `/ping/`.',
    },
    PING_BODY_LIMIT: {
      type: orNone(whole(0, MAX)),
      default: '10000',
      help: 'How many bytes of a ping’s body are kept; `None` keeps all of it.',
    },
    PING_EMAIL_DOMAIN: {
      type: domain,
      default: 'localhost',
      help: 'The domain of the addresses that checks are pinged at by e-mail.',
    },
    PING_LOG_LIMIT: {
      type: whole(1, MAX),
      default: '1000',
      help: 'How many pings of each check are kept. It may be far higher; a listing shows 1,000 at most.',
    },
    CHECK_LIMIT: {
      type: whole(1, MAX),
      default: '10000',
      help: 'How many checks an account may have; twice as many where pings with `create=1` make them.',
    },
  }),
  ...grouped('Incoming e-mail', {
    SMTPD_PORT: {
      type: optional(whole(0, 65_535)),
      default: '',
      help: 'The port on which e-mail is taken in that pings checks; empty: none is. 25 where the domain’s MX record leads here.',
    },
    SMTPD_HOST: {
      type: host,
      default: '0.0.0.0',
      help: 'The address to listen on for it; `::` for IPv6 as well.',
    },
    SMTPD_SIZE_LIMIT: {
      type: whole(1_000, 134_217_728),
      default: '33554432',
      help: 'The largest e-mail taken, in bytes. It is kept whole, whatever `PING_BODY_LIMIT` is.',
    },
    SMTPD_TLS_CERT: {
      type: pem,
      default: '',
      help: 'The certificate chain for STARTTLS, in PEM; mostly given as `SMTPD_TLS_CERT_FILE`, a path. Empty: no encryption is offered. Read at the start: restart after it is renewed.',
    },
    SMTPD_TLS_KEY: {
      type: pem,
      default: '',
      secret: true,
      help: 'The certificate’s private key, in PEM; mostly given as `SMTPD_TLS_KEY_FILE`.',
    },
  }),
  ...grouped('Alerts', {
    OUTAGE_HOLD: {
      type: whole(0, 86_400),
      default: '600',
      help: 'After an absence of Punctual itself, deadlines that passed meanwhile wait as long as the absence was, at most so many seconds.',
    },
    SMS_LIMIT: {
      type: whole(0, MAX),
      default: '500',
      help: 'How many text and WhatsApp messages an account may send in a calendar month (UTC). When they are used up, the people of the project are told by e-mail what was not sent.',
    },
    CALL_LIMIT: {
      type: whole(0, MAX),
      default: '500',
      help: 'The same for phone calls.',
    },
    INTEGRATIONS_ALLOW_PRIVATE_IPS: {
      type: flag,
      default: 'False',
      help: 'Whether webhooks and other integrations may reach private addresses (this machine, the home network). Link-local addresses such as `169.254.169.254`, and those at which clouds answer a machine its own secrets, stay closed always.',
    },
  }),
  ...grouped('People', {
    REGISTRATION_OPEN: {
      type: flag,
      default: 'True',
      help: 'Whether anybody may sign up. The first account is always made through the link that `punctual serve` prints.',
    },
    REMOTE_USER_HEADER: {
      type: headerName,
      default: '',
      help: 'The request header in which a trusted proxy names the person that it has signed in, by e-mail address; it then replaces every other way of signing in. `X-Authenticated-User` and `HTTP_X_AUTHENTICATED_USER` are the same. It needs `TRUSTED_PROXIES`.',
    },
    OPENID_ISSUER: {
      type: issuerAddress,
      default: '',
      help: 'The issuer of an OpenID Connect provider; with it people sign in there. The address to register with the provider is `{SITE_ROOT}/accounts/openid/callback/`.',
    },
    OPENID_CLIENT_ID: { type: text, default: '', help: 'What the provider calls this installation.' },
    OPENID_CLIENT_SECRET: {
      type: text,
      default: '',
      secret: true,
      help: 'The secret that the provider gave it; empty for a public client.',
    },
    OPENID_NAME: {
      type: text,
      default: 'OpenID Connect',
      help: 'What the provider is called on the button to sign in.',
    },
    RP_ID: {
      type: optionalDomain,
      default: '',
      help: 'The domain that passkeys are bound to; empty: the host in `SITE_ROOT`.',
    },
  }),
  ...grouped('Pages and API', {
    MASTER_BADGE_LABEL: {
      type: text,
      default: '{SITE_NAME}',
      help: 'The label of the badge for all checks of a project.',
    },
    METRICS_KEY: {
      type: text,
      default: '',
      secret: true,
      help: 'Opens `/api/v3/metrics/` and `/metrics` to requests that send it as `X-Metrics-Key` (to the latter also as a bearer token); empty keeps both closed.',
    },
    PROMETHEUS_ENABLED: {
      type: flag,
      default: 'True',
      help: 'Whether projects offer their checks to Prometheus.',
    },
    WRAP_FLIPS: {
      type: flag,
      default: 'False',
      help: 'Whether version 3 of the API returns flips as `{"flips": […]}`, as versions 1 and 2 do, instead of a bare array.',
    },
  }),
  ...grouped('Outgoing e-mail', {
    EMAIL_HOST: {
      type: host,
      default: '',
      help: 'The SMTP server that e-mail goes out through; empty: no e-mail is sent.',
    },
    EMAIL_PORT: { type: whole(1, 65_535), default: '587', help: 'Its port.' },
    EMAIL_HOST_USER: {
      type: text,
      default: '',
      help: 'The user to sign in as; empty: without signing in.',
    },
    EMAIL_HOST_PASSWORD: {
      type: text,
      default: '',
      secret: true,
      help: 'That user’s password.',
    },
    EMAIL_USE_SSL: {
      type: flag,
      default: 'False',
      help: 'TLS from the first byte (mostly port 465).',
    },
    EMAIL_USE_TLS: {
      type: flag,
      default: 'True',
      help: 'STARTTLS is required (mostly port 587). It does not apply where `EMAIL_USE_SSL` is on.',
    },
    EMAIL_USE_VERIFICATION: {
      type: flag,
      default: 'True',
      help: 'Whether a new e-mail channel has to be confirmed through a link sent to its address.',
    },
    DEFAULT_FROM_EMAIL: {
      type: sender,
      default: 'punctual@{PING_EMAIL_DOMAIN}',
      help: 'The sender of every e-mail.',
    },
    EMAIL_MAIL_FROM_TMPL: {
      type: envelope,
      default: '',
      help: 'The envelope sender, with `%s` where the id goes by which a bounce is recognised (`%s@bounces.example.org`; an id has 64 characters, the most that may stand before the @).',
    },
  }),
  ...grouped('Operation', {
    METRICS_PORT: {
      type: orNone(whole(1, 65_535)),
      default: 'None',
      help: 'A port of its own for `/metrics` (without a key unless `METRICS_KEY` is set) and `/ready`, also where the process has no other: `serve --role worker`.',
    },
    METRICS_HOST: {
      type: host,
      default: '127.0.0.1',
      help: 'The address that `METRICS_PORT` is listened on.',
    },
    HEARTBEAT_URL: {
      type: issuerAddress,
      default: '',
      secret: true,
      help: 'An address that is pinged once a minute while pings are taken and alerts are sent: a check at another installation, which notices when this one stops.',
    },
    STOP_DELAY: {
      type: whole(0, 300),
      default: '0',
      help: 'How many seconds `/ready` answers 503 before a process that is to stop takes no more requests, so that load balancers look elsewhere first.',
    },
  }),
  ...grouped('Object storage', {
    S3_BUCKET: {
      type: bucketName,
      default: '',
      help: 'The bucket for ping bodies of more than 100 bytes, in any S3-compatible storage; empty: all bodies stay in the database. It must exist.',
    },
    S3_ENDPOINT: {
      type: endpoint,
      default: '',
      help: 'The storage’s host, with its port if that is unusual: `s3.eu-central-1.amazonaws.com`, `minio.example.org:9000`.',
    },
    S3_REGION: {
      type: text,
      default: 'us-east-1',
      help: 'The region that requests are signed for.',
    },
    S3_ACCESS_KEY: { type: text, default: '', help: 'The access key.' },
    S3_SECRET_KEY: { type: text, default: '', secret: true, help: 'Its secret.' },
    S3_TIMEOUT: {
      type: whole(1, 3_600),
      default: '60',
      help: 'How many seconds an upload or a removal may take. Whoever reads a body waits 5 s at most.',
    },
    S3_SECURE: { type: flag, default: 'True', help: 'Whether the storage is spoken to over TLS.' },
  }),
  ...grouped('Log', {
    DEBUG: {
      type: flag,
      default: 'False',
      help: 'For developers: shows every e-mail there is, with made-up contents, under `/dev/mails/`.',
    },
    LOG_FORMAT: {
      type: choice('pretty', 'json'),
      default: 'pretty',
      help: '`pretty`: a line for people; `json`: a JSON object a line. The log goes to standard error.',
    },
    LOG_LEVEL: {
      type: choice('debug', 'info', 'warn', 'error'),
      default: 'info',
      help: 'The least important lines that are still written.',
    },
  }),
} satisfies Record<string, Setting>

type Table = typeof SETTINGS

/** A setting that an integration declares for itself. */
export interface OperatorRow {
  name: string
  type?: 'text' | 'flag' | 'number'
  default?: string
  secret?: boolean
  help: string
}

/**
 * The configuration: each setting under its own name, and the integrations' settings by name, as text (flags as
 * `true` and `false`).
 */
export type Config = Values<Table> & { readonly operator: Readonly<Record<string, string>> }

export { ConfigError }

/** Reads all settings from `env`. Throws a `ConfigError` that names every wrong value at once. */
export function loadConfig(
  env: Environment = process.env,
  operatorSettings: readonly OperatorRow[] = [],
): Config {
  const own = readSettings(SETTINGS, env)
  const operator = readSettings(operatorTable(operatorSettings), env)
  const problems = [...own.problems, ...operator.problems, ...contradictions(own)]
  if (problems.length > 0) throw new ConfigError(problems)
  const texts = Object.entries(operator.values).map(([name, value]) => [name, String(value)])
  return Object.freeze({ ...own.values, operator: Object.freeze(Object.fromEntries(texts)) })
}

/** What commands that this program runs see of the environment: nothing that could be a secret of its own. */
export function commandEnvironment(env: Environment = process.env): Record<string, string> {
  const passed = ['PATH', 'HOME', 'LANG'].map(name => [name, env[name] ?? ''])
  return Object.fromEntries(passed.filter(([, value]) => value !== ''))
}

/** Each setting's value and where it came from, secrets masked. Throws as `loadConfig` does. */
export function reportConfig(
  env: Environment = process.env,
  operatorSettings: readonly OperatorRow[] = [],
): SettingReport[] {
  loadConfig(env, operatorSettings)
  return [...readSettings(SETTINGS, env).report, ...readSettings(operatorTable(operatorSettings), env).report]
}

/** The whole table by name, for the documentation. */
export function settingsTable(operatorSettings: readonly OperatorRow[] = []): Record<string, Setting> {
  return { ...SETTINGS, ...operatorTable(operatorSettings) }
}

/** The texts that must never appear anywhere, whatever shows them. */
export function secretsOf(config: Config, operatorSettings: readonly OperatorRow[] = []): string[] {
  const names = Object.entries(settingsTable(operatorSettings)).filter(([, setting]) => setting.secret)
  const values: Record<string, unknown> = { ...config, ...config.operator }
  return names.map(([name]) => String(values[name] ?? '')).filter(value => value !== '')
}

const OPERATOR_TYPES = { text, flag, number: whole(0, MAX) }

function operatorTable(rows: readonly OperatorRow[]): Record<string, Setting> {
  const table: Record<string, Setting> = {}
  for (const { name, type = 'text', default: byDefault = '', secret = false, help } of rows) {
    if (name in SETTINGS) throw new Error(`an integration declares the setting ${name}, which exists already`)
    table[name] = { group: 'Integrations', type: OPERATOR_TYPES[type], default: byDefault, secret, help }
  }
  return table
}

function contradictions({ values, report }: ReadSettings<Table>): string[] {
  const isSet = (name: keyof Table) => report.some(row => row.name === name && row.source !== 'default')
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
  return found
}
