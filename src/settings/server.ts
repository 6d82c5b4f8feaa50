import {
  flag,
  folder,
  host,
  networks,
  postgresAddress,
  signingKey,
  siteAddress,
  text,
  whole,
} from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** Where Punctual listens, keeps its data and is reached. */
export const serverSettings = withGroup('Server', {
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
  HSTS_INCLUDE_SUBDOMAINS: {
    type: flag,
    default: 'False',
    help: 'Whether browsers are told to use https for every subdomain of the host in `SITE_ROOT` as well. Where `SITE_ROOT` begins with `https:`, they are told to for that host.',
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
  SECRET_KEY_PREVIOUS: {
    type: text,
    default: '',
    secret: true,
    help: 'The `SECRET_KEY` before the present one: what it signed is still accepted. See [Secrets](#secrets).',
  },
  TRUSTED_PROXIES: {
    type: networks,
    default: '',
    help: 'The reverse proxies whose `X-Forwarded-For` counts where it guards something, such as sign-in limits. Addresses and networks, separated by commas. The address recorded with a ping is always the forwarded one.',
  },
})
