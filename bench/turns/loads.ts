import type { Load } from '../load/load.js'
import type { Running } from './start.js'

/** The requests that a load sends to a program. */
type Asked = (running: Running) => Omit<Load, 'origin' | 'seconds'>

const ping = ({ checks }: Running) => checks.map(({ uuid }) => `/ping/${uuid}`)
const keyed = ({ key }: Running) => ({ 'X-Api-Key': key })
const sessionHeader = ({ reader: { cookie } }: Running) => ({ Cookie: `${cookie.name}=${cookie.value}` })

/** The loads by name, in the order in which they are applied. Those that create checks come last. */
export const LOADS: Readonly<Record<string, Asked>> = {
  ping: running => ({ paths: ping(running), connections: 64 }),
  'ping-1kB': running => ({
    paths: ping(running),
    connections: 64,
    method: 'POST',
    body: 'x'.repeat(1_000),
  }),
  'get-check': running => ({
    paths: running.checks.map(({ uuid }) => `/api/v3/checks/${uuid}`),
    headers: keyed(running),
    connections: 16,
  }),
  pings: running => ({
    paths: running.checks.map(({ uuid }) => `/api/v3/checks/${uuid}/pings/`),
    headers: keyed(running),
    connections: 16,
  }),
  badge: running => ({
    paths: running.checks.map(({ badgeKey }) => `/b/2/${badgeKey}.svg`),
    connections: 16,
  }),
  list: running => ({ paths: ['/api/v3/checks/'], headers: keyed(running), connections: 2 }),
  'page-list': running => ({
    paths: [`/projects/${running.reader.project}/checks/`],
    headers: sessionHeader(running),
    connections: 2,
  }),
  'page-check': running => ({
    paths: running.checks.map(({ uuid }) => `/checks/${uuid}/details/`),
    headers: sessionHeader(running),
    connections: 4,
  }),
  'page-overview': running => ({ paths: ['/'], headers: sessionHeader(running), connections: 4 }),
  create: running => ({
    paths: ['/api/v3/checks/'],
    method: 'POST',
    headers: keyed(running),
    body: JSON.stringify({ name: 'Nightly backup', tags: 'prod db', timeout: 86_400, grace: 3_600 }),
    connections: 16,
  }),
}
