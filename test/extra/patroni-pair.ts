/** A primary and its synchronous standby on loopback ports, which Patroni and etcd watch over. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../_support/servers/free-port.js'
import { serverUser } from '../_support/servers/postgres-server.js'

/** The programs by the Debian packages that bring them. */
export const PROGRAMS = { patroni: '/usr/bin/patroni', 'etcd-server': '/usr/bin/etcd' }

const POSTGRES = '/usr/lib/postgresql'

/** What the servers need to start, to follow each other and to be promoted. */
const WITHIN_MS = 90_000

/** The folder of Debian's newest PostgreSQL programs, or null. Patroni needs more of them than npm brings. */
export function debianPostgres(): string | null {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a)) : []
  const folders = versions.map(version => join(POSTGRES, version, 'bin'))
  return folders.find(folder => existsSync(join(folder, 'pg_basebackup'))) ?? null
}

export interface Member {
  port: number
  /** Kills Patroni and all of its server's processes at once, as the loss of the machine would. */
  kill(): void
}

export interface Pair {
  /** The member that leads, as Patroni says; waited for. */
  leader(): Promise<Member>
  remove(): Promise<void>
}

type Started = Member & { rest: number; process: ChildProcess }

/** Starts etcd and both members; resolves when one leads and the other follows synchronously. */
export async function startPair(): Promise<Pair> {
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), 'punctual-patroni-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const run = (name: string, program: string, args: string[]): ChildProcess => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const env = { PATH: process.env.PATH ?? '', HOME: folder }
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', log, log], ...user })
    closeSync(log)
    return child
  }
  const etcd = await freePort()
  const peers = await freePort()
  const keeper = run('etcd', PROGRAMS['etcd-server'], etcdOptions(join(folder, 'etcd'), etcd, peers))
  const members: Started[] = []
  const pair: Pair = {
    async leader() {
      for (const from = performance.now(); performance.now() - from < WITHIN_MS; await sleep(100)) {
        for (const member of members) if (await leads(member)) return member
      }
      throw new Error(`none leads: ${logs(folder)}`)
    },
    async remove() {
      for (const member of members) member.kill()
      if (keeper.exitCode === null && keeper.signalCode === null) {
        const ended = once(keeper, 'exit')
        keeper.kill('SIGKILL')
        await ended
      }
      // The servers' last files are written by processes that are not our children.
      await sleep(200)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  const enter = async (name: string) => {
    const ports = { port: await freePort(), rest: await freePort() }
    const config = join(folder, `${name}.yml`)
    writeFileSync(config, JSON.stringify(memberConfig({ name, folder, etcd, ...ports })))
    const child = run(name, PROGRAMS.patroni, [config])
    let killed = false
    const kill = () => {
      // Once only: the number of a process that is gone may soon be another's.
      if (!killed) killAll(child, join(folder, name))
      killed = true
    }
    members.push({ ...ports, process: child, kill })
  }
  try {
    await enter('one')
    const leader = (await pair.leader()) as Started
    await enter('two')
    for (const from = performance.now(); !(await isFollowed(leader)); await sleep(100)) {
      if (performance.now() - from > WITHIN_MS) throw new Error(`none follows: ${logs(folder)}`)
    }
    return pair
  } catch (error) {
    await pair.remove()
    throw error
  }
}

async function ask({ rest }: Started, path: string): Promise<Response | null> {
  const signal = AbortSignal.timeout(2_000)
  return await fetch(`http://127.0.0.1:${rest}/${path}`, { signal }).catch(() => null)
}

async function leads(member: Started): Promise<boolean> {
  return (await ask(member, 'primary'))?.status === 200
}

async function isFollowed(leader: Started): Promise<boolean> {
  const answer = await ask(leader, 'cluster')
  if (!answer?.ok) return false
  const { members } = (await answer.json()) as { members: { role: string; state: string }[] }
  return members.some(member => member.role === 'sync_standby')
}

/** Patroni first, lest it starts its server again. The server's children go with it. */
function killAll(patroni: ChildProcess, data: string): void {
  patroni.kill('SIGKILL')
  const pidFile = join(data, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const server = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = stdout.split('\n').map(line => line.trim().split(/\s+/).map(Number))
  const children = rows.filter(row => row[1] === server).map(row => row[0]!)
  for (const pid of [server, ...children]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
}

function etcdOptions(data: string, port: number, peers: number): string[] {
  const client = `http://127.0.0.1:${port}`
  const peer = `http://127.0.0.1:${peers}`
  return [
    ['--name', 'keeper'],
    ['--data-dir', data],
    ['--listen-client-urls', client],
    ['--advertise-client-urls', client],
    ['--listen-peer-urls', peer],
    ['--initial-advertise-peer-urls', peer],
    ['--initial-cluster', `keeper=${peer}`],
  ].flat()
}

/** As short as Patroni allows: a leader that is gone is missed after 20 s. */
function memberConfig(of: {
  name: string
  folder: string
  port: number
  rest: number
  etcd: number
}): object {
  const address = `127.0.0.1:${of.port}`
  const rest = `127.0.0.1:${of.rest}`
  return {
    scope: 'punctual',
    name: of.name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { hosts: [`127.0.0.1:${of.etcd}`] },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: false, parameters: { max_connections: 100 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: join(of.folder, of.name),
      bin_dir: debianPostgres(),
      pgpass: join(of.folder, `${of.name}.pgpass`),
      authentication: {
        superuser: { username: 'postgres', password: 'loopback' },
        replication: { username: 'follower', password: 'loopback' },
      },
      parameters: { unix_socket_directories: of.folder },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
    },
  }
}

function logs(folder: string): string {
  const names = ['etcd', 'one', 'two'].map(name => join(folder, `${name}.log`))
  return names
    .filter(existsSync)
    .map(name => readFileSync(name, 'utf8').slice(-2000))
    .join('\n')
}
