import {
  flag,
  folder,
  host,
  networks,
  optional,
  postgresAddress,
  signingKey,
  siteAddress,
  text,
  whole,
} from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** Where Punctual listens, stores its data and can be reached. */
export const serverSettings = withGroup('Server', {
  HOST: {
    type: host,
    default: '0.0.0.0',
    help: 'The address to listen on. The default is every IPv4 address, so that jobs on other machines can ping. Use `127.0.0.1` behind a reverse proxy on the same machine, and `::` to include IPv6.',
  },
  PORT: {
    type: whole(0, 65_535),
    default: '8000',
    help: 'The port to listen on; 0: any free port.',
  },
  DATA_DIR: {
    type: folder,
    default: './data',
    help: 'The folder for the SQLite database `punctual.db` and the generated `secret_key`.',
  },
  DATABASE_URL: {
    type: postgresAddress,
    default: '',
    secret: true,
    help: 'Empty: SQLite in `DATA_DIR`. `postgres://user:password@host/database`: PostgreSQL 15 or later, which several processes can share.',
  },
  DATABASE_SHARDS: {
    type: optional(whole(1, 1_000)),
    default: '',
    help: 'Into how many parts `migrate --distribute` divides each table that it distributes over the workers of [Citus](scaling.md#more-than-one-postgresql). Empty: two for each worker that there is. Workers hold whole parts, and each part makes pings dearer, so choose one or two for each worker that you expect to have.',
  },
  SITE_ROOT: {
    type: siteAddress,
    default: 'http://localhost:{PORT}',
    help: 'The address of this installation for users and jobs. It may have a path, such as `https://example.org/monitor`.',
  },
  HSTS_INCLUDE_SUBDOMAINS: {
    type: flag,
    default: 'False',
    help: 'Whether the `Strict-Transport-Security` header includes subdomains. The header is sent if `SITE_ROOT` begins with `https:`.',
  },
  SITE_NAME: {
    type: text,
    default: 'Punctual',
    help: 'The name of this installation in pages and messages.',
  },
  SECRET_KEY: {
    type: signingKey,
    default: '',
    secret: true,
    help: 'The key that signs links and badges. If it is empty, `punctual serve` generates one in `DATA_DIR/secret_key`. It must be set with `DATABASE_URL`, because all hosts need the same key.',
  },
  SECRET_KEY_PREVIOUS: {
    type: text,
    default: '',
    secret: true,
    help: 'The previous `SECRET_KEY`, whose signatures are still accepted. See [Secrets](#secrets).',
  },
  TRUSTED_PROXIES: {
    type: networks,
    default: '',
    help: 'Addresses and networks of reverse proxies, separated by commas. Sign-in limits and other protections trust `X-Forwarded-For` only from these. The address recorded with a ping is always the forwarded one.',
  },
})
